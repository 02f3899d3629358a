import { safeText } from './safe-text.ts'
import { fitText } from './text-width.ts'

/** How far something is. */
export interface ProgressState {
  /** How much is done. */
  readonly progress: number
  /** The value of `progress` at the end; absent if unknown. */
  readonly total?: number | undefined
  /** The current step, for people. */
  readonly message?: string | undefined
}

/** One line that says how far something is, how long it took so far, and how long it may still take. */
export function renderProgress(state: ProgressState, elapsedMs: number, width: number): string {
  const { progress, total, message } = state
  const time = formatDuration(elapsedMs)
  const words = message === undefined ? '' : ` ${safeText(message, { multiline: false })}`
  if (total === undefined || !(total > 0)) {
    const at = Math.floor(elapsedMs / 120)
    return fitText(`${movingBar(at)} ${formatNumber(progress)}${words} ${time}`, width)
  }
  const share = Math.min(1, Math.max(0, progress / total))
  const percent = `${Math.floor(share * 100)}%`.padStart(4)
  const left = share > 0 && share < 1 ? ` of about ${formatDuration(elapsedMs / share)}` : ''
  return fitText(`${fixedBar(share)}${percent}${words} ${time}${left}`, width)
}

const barWidth = 20

function fixedBar(share: number): string {
  const full = Math.round(share * barWidth)
  return '█'.repeat(full) + '░'.repeat(barWidth - full)
}

/** A block that goes to and fro: something happens, nobody knows how much is left. */
function movingBar(at: number): string {
  const columns = barWidth - 4
  const turn = at % (columns * 2)
  const from = turn < columns ? turn : columns * 2 - turn
  return `${'░'.repeat(from)}████${'░'.repeat(columns - from)}`
}

/** `850 ms`, `3.2 s`, `2:05 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}

function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}

/** A stream that may be a terminal. */
export interface ProgressStream {
  /** It is a terminal. */
  readonly isTTY?: boolean | undefined
  /** The width of the terminal in characters. */
  readonly columns?: number | undefined
  /** Writes text. */
  write(text: string): unknown
}

/** A bar on a terminal that is drawn again and again; lines elsewhere, and not many. */
export interface ProgressBar {
  /** Draws the new state. */
  update(state: ProgressState): void
  /** Takes the bar away. */
  done(): void
}

/** How often a stream that is no terminal hears something. */
const everyMs = 5_000

/** Draws at most ten times a second. */
export function createProgressBar(
  stream: ProgressStream,
  { now = () => performance.now() }: { readonly now?: (() => number) | undefined } = {},
): ProgressBar {
  const start = now()
  let last: ProgressState | undefined
  let drawnAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    if (last === undefined) return
    drawnAt = now()
    const width = Math.max(20, (stream.columns || 80) - 1) // some terminals say 0
    const line = renderProgress(last, drawnAt - start, width)
    stream.write(stream.isTTY ? `\r\u001b[2K${line}` : `${line}\n`)
  }

  return {
    update(state) {
      last = state
      const pause = stream.isTTY ? 100 : everyMs
      if (now() - drawnAt >= pause) draw()
      if (!stream.isTTY || timer !== undefined) return
      timer = setInterval(draw, 120)
      timer.unref()
    },
    done() {
      clearInterval(timer)
      if (stream.isTTY && last !== undefined) stream.write('\r\u001b[2K')
      last = undefined
    },
  }
}
