/**
 * Counters, gauges and histograms of one database, for `GET /metrics` and SHOW METRICS; every name starts with `svc_`. Operations are those of the HTTP port,
 * statements those of SQL through any entrance.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { DURATION_BOUNDS, type Durations } from '../base/durations.ts';
import { BUILD_INFO, DATABASE_METRICS, type DatabaseMetric, PROCESS_METRICS, SERVER_METRICS, WORLD_METRICS, type WorldValues } from './metric-list.ts';

export interface MetricSources {
  /** Values of gauges and counters, by their `stat`. */
  stats(): Readonly<Record<string, number>>;
  /** By the names of histograms. */
  readonly durations: Readonly<Record<string, Durations>>;
  /** Of the worlds that are watched, by name; those that are not open are left out. */
  worlds(): ReadonlyMap<string, WorldValues>;
  /** Labels of `svc_build_info`. */
  readonly build: Readonly<Record<string, string>>;
}

const helpOf = (name: (typeof SERVER_METRICS)[number]['name']): string => SERVER_METRICS.find((each) => each.name === name)!.help;

export class Metrics {
  readonly registry = new Registry();
  readonly #operations: Counter<'op'>;
  readonly #errors: Counter<'op' | 'code'>;
  readonly #seconds: Histogram<'op'>;
  readonly #byOperation = new Map<string, { count: Counter.Internal; seconds: Histogram.Internal<'op'> }>();

  /** Without sources: of a server alone. */
  constructor(sources: MetricSources | null) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry, prefix: 'svc_' });
    // The library has gauges in `_total`, and lists each open handle.
    const wanted = new Set<string>(PROCESS_METRICS.map(({ name }) => `svc_${name}`));
    for (const { name } of this.registry.getMetricsAsArray()) if (!wanted.has(name)) this.registry.removeSingleMetric(name);
    this.#operations = new Counter({ name: 'svc_operations_total', help: helpOf('operations_total'), labelNames: ['op'], registers });
    this.#errors = new Counter({ name: 'svc_errors_total', help: helpOf('errors_total'), labelNames: ['op', 'code'], registers });
    this.#seconds = new Histogram({
      name: 'svc_operation_seconds',
      help: helpOf('operation_seconds'),
      labelNames: ['op'],
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
    if (sources === null) return;
    const stats = onceAScrape(() => sources.stats());
    for (const each of DATABASE_METRICS) this.#add(each, stats, sources.durations);
    const worlds = onceAScrape(() => sources.worlds());
    for (const each of WORLD_METRICS) this.#addOfWorlds(each, worlds);
    const build = new Gauge({ name: `svc_${BUILD_INFO.name}`, help: BUILD_INFO.help, labelNames: Object.keys(sources.build), registers });
    build.set(sources.build, 1);
  }

  #addOfWorlds({ name, type, help, stat }: (typeof WORLD_METRICS)[number], worlds: () => ReadonlyMap<string, WorldValues>): void {
    const options = { name: `svc_${name}`, help, labelNames: ['world'] as const, registers: [this.registry] };
    if (type === 'gauge') {
      new Gauge({
        ...options,
        collect() {
          this.reset();
          for (const [world, values] of worlds()) this.set({ world }, values[stat]);
        },
      });
    } else {
      new Counter({
        ...options,
        collect() {
          this.reset();
          for (const [world, values] of worlds()) this.inc({ world }, values[stat]);
        },
      });
    }
  }

  #add({ name: own, type, help, stat = own, factor = 1 }: DatabaseMetric, stats: MetricSources['stats'], durations: MetricSources['durations']): void {
    const name = `svc_${own}`;
    const registers = [this.registry];
    if (type === 'histogram') this.registry.registerMetric(histogramOf(name, help, durations[own]));
    else if (type === 'gauge') {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(stats()[stat] * factor);
        },
      });
    } else {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(stats()[stat] * factor);
        },
      });
    }
  }

  /** Adds the number of a server's open connections. */
  connections(server: 'http_connections' | 'wire_connections', count: () => number): void {
    const name = `svc_${server}`;
    this.registry.removeSingleMetric(name);
    new Gauge({
      name,
      help: helpOf(server),
      registers: [this.registry],
      collect() {
        this.set(count());
      },
    });
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

/** Values that all metrics of a scrape share, which are read in a tick. */
function onceAScrape<Values extends object>(read: () => Values): () => Values {
  let values: Values | null = null;
  return () => {
    if (values === null) setImmediate(() => (values = null));
    return (values ??= read());
  };
}

/** A histogram whose durations are counted elsewhere, without the library's cost for each. */
function histogramOf(name: string, help: string, durations: Durations): Metric {
  const values = (): { value: number; labels: Record<string, string | number>; metricName: string }[] => {
    let below = 0;
    const buckets = [...durations.counts].map((count, i) => {
      below += count;
      return { metricName: `${name}_bucket`, labels: { le: DURATION_BOUNDS[i] ?? '+Inf' }, value: below };
    });
    return [...buckets, { metricName: `${name}_sum`, labels: {}, value: durations.sum }, { metricName: `${name}_count`, labels: {}, value: below }];
  };
  // The library reads a metric by its name and `get` alone.
  return { name, get: () => Promise.resolve({ name, help, type: 'histogram', values: values(), aggregator: 'sum' }), reset: () => {} } as unknown as Metric;
}
