import { safeJson, safeText } from '../terminal/safe-text.ts'
import { exchangesOf, type Exchange } from './exchanges.ts'
import type { TraceRecord } from './record.ts'
import { traceStatistics } from './statistics.ts'

/** A report for people: figures first, then every request. */
export function toMarkdown(records: readonly TraceRecord[]): string {
  const exchanges = exchangesOf(records)
  const [first] = records
  const last = records.at(-1)
  const lines = [
    '# Trace',
    '',
    first && last
      ? `${records.length} records, ${exchanges.length} requests, ${new Date(first.at).toISOString()} to ${new Date(last.at).toISOString()}.`
      : 'Nothing was recorded.',
    '',
    '## Figures',
    '',
    '| server | method | count | errors | unanswered | p50 ms | p95 ms | p99 ms | max ms |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|',
    ...traceStatistics(records).map(
      ({ connection, method, count, errors, unanswered, latency }) =>
        `| ${cell(connection)} | ${cell(method)} | ${count} | ${errors} | ${unanswered} | ${[
          latency?.p50,
          latency?.p95,
          latency?.p99,
          latency?.max,
        ]
          .map((value) => value?.toFixed(1) ?? '')
          .join(' | ')} |`,
    ),
    '',
    '## Requests',
    ...exchanges.flatMap(section),
    '',
  ]
  return lines.join('\n')
}

function section(exchange: Exchange): readonly string[] {
  const { request, method, name, durationMs, params, result, error, ended, isProbe } = exchange
  const title = `${request.seq}. ${method}${name === undefined ? '' : ` ${name}`}`
  const who =
    request.direction === 'in' ? `${request.connection} asked` : `to ${request.connection}`
  const took = durationMs === undefined ? (ended ?? 'not answered') : `${durationMs.toFixed(1)} ms`
  const end = error ?? result
  const mark = isProbe ? ', a probe that an older server refuses' : error ? ', an error' : ''
  return [
    '',
    `### ${text(title)}`,
    '',
    `${text(who)}, ${new Date(request.at).toISOString()}, ${took}${mark}`,
    ...block(params),
    ...(end === undefined ? [] : block(end)),
  ]
}

const longest = 4000

/** A fence that nothing inside can close. */
function block(value: unknown): readonly string[] {
  const whole = safeJson(value, 2)
  const shown =
    whole.length > longest ? `${whole.slice(0, longest)}\n… ${whole.length} characters` : whole
  const longestRun = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longestRun + 1))
  return ['', `${fence}json`, shown, fence]
}

/** Names come from servers: they are words here, not markup. */
function text(given: string): string {
  const line = safeText(given.replaceAll(/[\r\n]+/g, ' '), { multiline: false })
  return line.replaceAll(/[\\`*_{}[\]<>()#+!|~]/g, (letter) => `\\${letter}`)
}

function cell(given: string): string {
  return text(given)
}
