/** Counters and gauges for `GET /metrics`; every name starts with `svc_`. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
  readonly registry = new Registry();
  readonly #operations: Counter<'op'>;
  readonly #errors: Counter<'op' | 'code'>;
  readonly #conflicts: Counter;
  readonly #seconds: Histogram<'op'>;
  readonly #byOperation = new Map<string, { count: Counter.Internal; seconds: Histogram.Internal<'op'> }>();

  constructor(stats: () => Record<string, number>) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry, prefix: 'svc_' });
    this.#operations = new Counter({ name: 'svc_operations_total', help: 'Operations answered.', labelNames: ['op'], registers });
    this.#errors = new Counter({ name: 'svc_errors_total', help: 'Operations that failed, by SQLSTATE.', labelNames: ['op', 'code'], registers });
    this.#conflicts = new Counter({ name: 'svc_conflicts_total', help: 'Merges and rebases refused for conflicts.', registers });
    this.#seconds = new Histogram({
      name: 'svc_operation_seconds',
      help: 'Time to answer.',
      labelNames: ['op'],
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
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
    if (code === 'SV409') this.#conflicts.inc();
  }
}
