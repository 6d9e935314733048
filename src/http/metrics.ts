/**
 * Counters and gauges of one database, for `GET /metrics` and SHOW METRICS; every name starts with `svc_`. Operations are
 * those of the HTTP port, statements those of SQL through any entrance.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry = new Registry();
  readonly #operations: Counter<'op'>;
  readonly #errors: Counter<'op' | 'code'>;
  readonly #seconds: Histogram<'op'>;
  readonly #byOperation = new Map<string, { count: Counter.Internal; seconds: Histogram.Internal<'op'> }>();

  /** `totals` are counters, `stats` are gauges. */
  constructor(stats: () => Record<string, number>, totals: () => Record<string, number> = () => ({})) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry, prefix: 'svc_' });
    this.#operations = new Counter({ name: 'svc_operations_total', help: 'Operations answered.', labelNames: ['op'], registers });
    this.#errors = new Counter({ name: 'svc_errors_total', help: 'Operations that failed, by SQLSTATE.', labelNames: ['op', 'code'], registers });
    this.#seconds = new Histogram({
      name: 'svc_operation_seconds',
      help: 'Time to answer.',
      labelNames: ['op'],
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
    for (const name of Object.keys(totals())) {
      new Counter({
        name: `svc_${name}_total`,
        help: `The database's ${name.replaceAll('_', ' ')}.`,
        registers,
        collect() {
          this.reset();
          this.inc(totals()[name]);
        },
      });
    }
    for (const name of Object.keys(stats())) {
      new Gauge({
        name: `svc_${name}`,
        help: `The database's ${name.replaceAll('_', ' ')}.`,
        registers,
        collect() {
          this.set(stats()[name]);
        },
      });
    }
  }

  answered(op: string, seconds: number): void {
    let own = this.#byOperation.get(op);
    if (own === undefined) {
      own = { count: this.#operations.labels(op), seconds: this.#seconds.labels(op) };
      this.#byOperation.set(op, own);
    }
    own.count.inc();
    own.seconds.observe(seconds);
  }

  failed(op: string, code: string): void {
    this.#errors.inc({ op, code });
  }

  /** One row per value, with the names of the text format. */
  async rows(): Promise<{ name: string; value: number }[]> {
    const rows: { name: string; value: number }[] = [];
    for (const { name, values } of await this.registry.getMetricsAsJSON()) {
      for (const each of values as readonly { value: number; labels: Record<string, string | number>; metricName?: string }[]) {
        const labels = Object.entries(each.labels).map(([label, value]) => `${label}="${value}"`);
        rows.push({ name: `${each.metricName ?? name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}`, value: each.value });
      }
    }
    return rows;
  }
}
