/** docs/reference/metrics.md: the list of metrics, between what stays written by hand. */
import { DURATION_BOUNDS } from '../base/durations.ts';
import { BUILD_INFO, DATABASE_METRICS, type DatabaseMetric, PROCESS_METRICS, SERVER_METRICS, WORLD_METRICS } from './metric-list.ts';

const lineOf = ({ name, type, help }: DatabaseMetric): string => `| \`svc_${name}\` | ${type} | ${help} |`;

const tableOf = (metrics: readonly DatabaseMetric[]): string => ['| metric | type | meaning |', '|---|---|---|', ...metrics.map(lineOf)].join('\n');

export function metricsReference(): string {
  return `# Metrics

\`GET /metrics\` of the HTTP port is in the text format of Prometheus; \`SHOW METRICS\` has the same values as rows. Counters start at 0 with the process, those of worlds with the world. A scrape reads counters that are
kept anyway; it reads no rows. Histograms count up to
${DURATION_BOUNDS.join(', ')} seconds.

The metrics need the server token if there is one. Give a monitoring system a token of its own, which reads the metrics and nothing else: \`svc serve --metrics-token <token>\` or
\`SVC_METRICS_TOKEN\` (\`openssl rand -hex 32\` makes one). An agent's token is refused (403).

\`\`\`yaml
scrape_configs:
  - job_name: svc
    authorization: { credentials_file: /etc/prometheus/svc-token }
    static_configs: [{ targets: ['127.0.0.1:7070'] }]
\`\`\`

## The database

${tableOf([BUILD_INFO, ...DATABASE_METRICS])}

## The server

${tableOf(SERVER_METRICS)}

## Worlds

${tableOf(WORLD_METRICS)}

Agents fork and merge thousands of worlds, and a series for each would fill any monitoring system. So these metrics have the label \`world\` for \`main\` and for the worlds that
\`SVC_METRICS_WORLDS\` names, at most 100 (\`SVC_METRICS_WORLDS=staging,nightly\`); a world that is not open has no series.

## The process

${tableOf(PROCESS_METRICS)}

## What to alert on

[\`docs/operate/alerts.yaml\`](../operate/alerts.yaml) has these rules for Prometheus, [\`docs/operate/grafana.json\`](../operate/grafana.json) a dashboard for Grafana. A condition holds for the given time before
it is reported.

| rule | condition | for | what it means, what to do |
|---|---|---|---|
| \`SvcDown\` | \`up{job="svc"} == 0\` | 1m | The server has ended, or the metrics token is wrong. The log says why it ended. |
| \`SvcWritesRefused\` | \`svc_writable == 0\` | 1m | The disk refuses writes: reads are answered, writes get 53100 or 58030. Free or repair the disk; writes are taken again without a restart ([damage](verify.md)). |
| \`SvcDiskCeiling\` | \`svc_disk_bytes > 0.9 * svc_max_disk_bytes and svc_max_disk_bytes > 0\` | 5m | Above the ceiling (\`SVC_MAX_DISK_BYTES\`; 0 is none) writes are refused with 53100. Shorten \`history_retention\`, or raise it. |
| \`SvcSlowSync\` | \`rate(svc_log_sync_seconds_sum[5m]) / rate(svc_log_sync_seconds_count[5m]) > 0.05\` | 10m | The disk syncs slowly, so every commit waits. Look for other load on the disk. |
| \`SvcUnsyncedEvents\` | \`svc_log_unsynced_events > 10000\` | 1m | Commits come faster than the disk takes them. |
| \`SvcCheckpointsFail\` | \`(time() - svc_last_checkpoint_timestamp_seconds > 3600) and svc_dirty_bytes > 67108864\` | 10m | Checkpoints fail or do not end: the next start replays much. The log line says why. |
| \`SvcClockBehind\` | \`svc_clock_behind_seconds > 60\` | 5m | The clock was set back: moments are counted from the newest event. Correct the clock. |
| \`SvcMergesHeld\` | \`svc_held_merges > 0\` | 1d | Merges wait for a reviewer. They do not expire, but their worlds may: set the time below \`world_ttl\`, \`world_idle_ttl\` and \`max_age\`. |
| \`SvcStatementsFail\` | \`rate(svc_statement_errors_total[5m]) / (rate(svc_statements_total[5m]) > 1) > 0.05\` | 15m | Many statements fail: see the logs of the clients. Below one statement a second it says nothing. |
| \`SvcBusy\` | \`svc_nodejs_eventloop_lag_p99_seconds > 0.25\` | 5m | Something keeps the process busy; requests wait as long. |
| \`SvcDescriptors\` | \`svc_process_open_fds / svc_process_max_fds > 0.9\` | 5m | Few file descriptors are left, and further connections are refused. Raise the limit of open files (\`LimitNOFILE\`), or lower \`SVC_MAX_CONNECTIONS\`. |

Backups are folders and have no metric of the database: [how to watch them](../operate/monitoring.md#what-to-alert-on).
`;
}
