/** How far a step of a transfer has come, such as `Receiving objects`. */
export interface GitProgress {
  /** What git is doing. */
  readonly step: string
  /** How much of it is done. */
  readonly done: number
  /** How much there is. */
  readonly total: number
}

const pattern = /^(?:remote: )?([A-Z][\w ]*): +\d+% \((\d+)\/(\d+)\)/

/** Hears what git says with `--progress`, piece by piece, and tells how far it has come. */
export function createProgressReader(
  onProgress: (progress: GitProgress) => void,
): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const lines: string[] = `${rest}${piece}`.split(/[\r\n]/)
    rest = (lines.pop() ?? '').slice(0, 1_000) // longer than any line of this kind
    for (const line of lines) {
      const [, step, done, total] = pattern.exec(line) ?? []
      if (step !== undefined) onProgress({ step, done: Number(done), total: Number(total) })
    }
  }
}

/** What git said without how far it had come, which it writes over itself, each time behind a return. */
export function withoutProgress(text: string): string {
  return text
    .split('\n')
    .filter((line) => !(pattern.test(line) || summary.test(line)))
    .join('\n')
}

const summary = /^(?:remote: )?(?:Enumerating objects: |Total \d)/
