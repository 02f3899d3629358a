import { formatDuration } from '@parley/foundation/terminal'
import { criticalPath, formatShare, type PathWho, type TraceRecord } from '@parley/foundation/trace'

import { CliError } from '../exit.ts'
import { flat, type Printer } from '../output/printer.ts'

/** Widest bar; what took any time has at least one letter. */
const widest = 24

/** Shows what the time of one request was spent on, moment by moment. */
export function showPath(records: readonly TraceRecord[], id: string, printer: Printer): void {
  const path = criticalPath(records, /^#?\d+$/.test(id) ? Number(id.replace('#', '')) : -1)
  if (path === undefined) {
    throw new CliError('error', `the trace has no request ${id}`, {
      hint: 'Use the number at the beginning of its line in parley trace view.',
    })
  }
  const { durationMs, isOpen, from, segments } = path
  const share = (ms: number) => (durationMs === 0 ? 0 : ms / durationMs)
  if (printer.isJson) return printer.json(path)
  const { colors } = printer
  const right = { align: 'right', overflow: 'keep' } as const
  printer.table(
    segments.map((segment) => {
      const ms = segment.to - segment.from
      return [
        `+${formatDuration(segment.from - from)}`,
        formatDuration(ms),
        formatShare(share(ms)),
        segment.who,
        '█'.repeat(Math.max(1, Math.round(share(ms) * widest))),
        `${flat(segment.what, 200)} ${colors.dim(String(segment.seq))}`,
      ]
    }),
    [
      { title: 'at', ...right },
      { title: 'took', ...right },
      { title: 'share', ...right },
      { title: 'who', overflow: 'keep' },
      { title: '', overflow: 'keep' },
      { title: 'what' },
    ],
  )
  printer.note(`${formatDuration(durationMs)} in all${isOpen ? ', and not finished' : ''}.`)
}

/** All that a call can wait for, in the order they are shown. */
export const everyWho: readonly PathWho[] = ['server', 'client', 'person', 'network', 'unknown']
