/** How the rows of a case stand against its budget: each claim with its figure, its limit and whether it holds. */
export function classify({ kind, budget }, rows) {
  switch (kind) {
    case 'ratio':
    case 'starts':
      return judgeRatios(budget, rows, 'cpuMicros')
    case 'sessions':
    case 'listeners':
      return judgeRatios(budget, rows, 'heapBytes')
    case 'bridges':
      return judgeBridges(budget, rows)
    case 'latencies':
      return ['parley', 'gateway'].map((name) => ({
        claim: `µs that ${titleOf(rows, name)} adds to half of the calls`,
        ...compare(figureOf(rows, name, 'addedP50Micros'), 'at most', budget.addedAtMostMicros),
      }))
    case 'bridge-sessions':
      return ['parley', 'gateway', 'cli'].map((name) => ({
        claim: `bytes of a session of ${titleOf(rows, name)}`,
        ...compare(figureOf(rows, name, 'heapBytes'), 'at most', budget.atMostBytes),
      }))
    case 'bridge-starts': {
      const [ours, theirs] = ['cli', 'supergateway'].map((name) =>
        figureOf(rows, name, 'p50Micros'),
      )
      return [{ claim: 'supergateway ÷ ours, elapsed', ...compare(theirs / ours, 'at least') }]
    }
    case 'shared':
      return [
        claimSharing(rows, 'cpuMicros', budget),
        {
          claim: 'store commands per call',
          ...compare(figureOf(rows, 'shared', 'commands'), 'at most', budget.commandsAtMost),
        },
      ]
    case 'shared-sessions':
      return [claimSharing(rows, 'heapBytes', budget)]
    case 'processes': {
      const [one, two] = [1, 2].map((count) =>
        figureOf(rows, `processes-${count}`, 'perBusySecond'),
      )
      return [
        {
          claim: 'calls of two processes ÷ one, by CPU time of the busiest',
          ...compare(two / one, 'at least', budget.atLeast),
        },
      ]
    }
    case 'added': {
      const off = figureOf(rows, 'off', 'cpuMicros')
      return rows
        .filter(({ name }) => name !== 'off')
        .map(({ name, title }) => ({
          claim: `CPU µs added to a call: ${title}`,
          // What is written by hand shows what the SDK takes by itself: nothing is claimed of it.
          ...compare(
            figureOf(rows, name, 'cpuMicros') - off,
            'at most',
            name === 'hand' ? undefined : budget.atMost,
          ),
        }))
    }
    case 'revisions': {
      const costs = rows.flatMap(({ figures }) => figures?.cpuMicros ?? [])
      const spread = Math.max(...costs) / Math.min(...costs)
      return [{ claim: 'dearest ÷ cheapest', ...compare(spread, 'at most', budget.atMost) }]
    }
    case 'definitions':
      return [
        {
          claim: 'percent of a window of 128,000 tokens when found by searching',
          ...compare(figureOf(rows, 'search', 'percent'), 'at most', budget.atMostPercent),
        },
      ]
    case 'host-calls': {
      const [host, client] = ['host', 'client'].map((name) => figureOf(rows, name, 'cpuMicros'))
      return [
        {
          claim: 'CPU µs of the host above the call alone',
          ...compare(host - client, 'at most', budget.atMostMicros),
        },
      ]
    }
    case 'host-starts':
      return [
        {
          claim: 'ms to the first request with ten servers',
          ...compare(figureOf(rows, 'ten', 'elapsedMs'), 'at most', budget.atMostMs),
        },
      ]
    case 'imports':
      return rows.filter(isOurs).map(({ title, aboveBareMs }) => ({
        claim: `${title} in milliseconds`,
        ...compare(aboveBareMs, 'at most', budget.atMostMs),
      }))
    case 'sizes': {
      const ours = rows.find(isOurs)
      return [
        { claim: 'packages', ...compare(ours?.packages, 'at most', budget.packages) },
        { claim: 'bytes', ...compare(ours?.bytes, 'at most', budget.bytes) },
      ]
    }
    default:
      throw new Error(`unknown kind of case: ${kind}`)
  }
}

/** By the clock, the load and the server would be judged too: they share one core with the bridge. */
function judgeBridges({ relayAtMost, rivalsAtLeast = {}, perCpuSecondAtLeast }, rows) {
  const ours = figureOf(rows, 'parley', 'cpuMicros')
  const perCpuSecond = ['parley', 'gateway'].map((name) => ({
    claim: `calls per CPU second of ${titleOf(rows, name)}`,
    ...compare(1e6 / figureOf(rows, name, 'cpuMicros'), 'at least', perCpuSecondAtLeast),
  }))
  const rivals = Object.entries(rivalsAtLeast).map(([name, atLeast]) => ({
    claim: `${name} ÷ ours`,
    ...compare(figureOf(rows, name, 'cpuMicros') / ours, 'at least', atLeast),
  }))
  const relay = figureOf(rows, 'floor', 'cpuMicros')
  return [
    { claim: 'ours ÷ hand-written relay', ...compare(ours / relay, 'at most', relayAtMost) },
    ...rivals,
    ...perCpuSecond,
  ]
}

function titleOf(rows, name) {
  return rows.find((row) => row.name === name)?.title ?? name
}

function claimSharing(rows, field, budget) {
  const ratio = figureOf(rows, 'shared', field) / figureOf(rows, 'alone', field)
  return { claim: 'with a cluster ÷ without', ...compare(ratio, 'at most', budget.atMost) }
}

function figureOf(rows, name, field) {
  return rows.find((row) => row.name === name)?.figures?.[field]
}

function judgeRatios(budget, rows, field) {
  const costOf = (name) => rows.find((row) => row.name === name)?.figures?.[field]
  const ours = costOf('parley')
  return [
    {
      claim: 'official v2 ÷ ours',
      ...compare(costOf('official-v2') / ours, 'at least', budget.atLeast),
    },
    { claim: 'ours ÷ floor', ...compare(ours / costOf('floor'), 'at most', budget.atMost) },
  ]
}

/** Without a figure or without a limit nothing is claimed: `holds` is undefined. */
function compare(value, bound, limit) {
  if (value === undefined || Number.isNaN(value)) return { bound, limit }
  if (limit === undefined) return { value, bound }
  return { value, bound, limit, holds: bound === 'at least' ? value >= limit : value <= limit }
}

function isOurs({ name }) {
  return name.startsWith('@parley/') || name === 'parley'
}
