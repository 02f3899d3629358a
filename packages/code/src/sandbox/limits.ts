/** Bounds of a program and of a sandbox. */
export interface SandboxLimits {
  /** Memory of a program. @defaultValue 67_108_864 */
  readonly memoryBytes?: number | undefined
  /** CPU time of a program. @defaultValue 10_000 */
  readonly cpuMs?: number | undefined
  /** The longest that one built-in function may run. The engine cannot be stopped inside of it, so the thread is ended. @defaultValue 10_000 */
  readonly standstillMs?: number | undefined
  /** A whole run, without the time that a person takes. @defaultValue 300_000 */
  readonly totalMs?: number | undefined
  /** Calls of a program, `sleep` included. @defaultValue 500 */
  readonly calls?: number | undefined
  /** Calls at the same time; others wait in the program. @defaultValue 64 */
  readonly openCalls?: number | undefined
  /** Arguments of one call, as JSON. @defaultValue 1_048_576 */
  readonly argumentBytes?: number | undefined
  /** The answer to one call, as JSON. @defaultValue 8_388_608 */
  readonly answerBytes?: number | undefined
  /** Everything that a program writes to `console`. @defaultValue 65_536 */
  readonly consoleBytes?: number | undefined
  /** The text of one error. @defaultValue 2_000 */
  readonly errorCharacters?: number | undefined
  /** The returned value, as JSON. @defaultValue 1_048_576 */
  readonly valueBytes?: number | undefined
  /** The text of a program. @defaultValue 262_144 */
  readonly programBytes?: number | undefined
  /** Programs at the same time. @defaultValue 4 */
  readonly programs?: number | undefined
  /** Programs at the same time of one caller. @defaultValue the limit on programs */
  readonly programsOfCaller?: number | undefined
  /** Programs that wait for their turn; more are refused. @defaultValue 32 */
  readonly queuedPrograms?: number | undefined
}

/** The limits with defaults where none were given. */
export type ResolvedSandboxLimits = { readonly [Name in keyof SandboxLimits]-?: number }

const mebibyte = 2 ** 20

const defaults = {
  memoryBytes: 64 * mebibyte,
  cpuMs: 10_000,
  standstillMs: 10_000,
  totalMs: 300_000,
  calls: 500,
  openCalls: 64,
  argumentBytes: mebibyte,
  answerBytes: 8 * mebibyte,
  consoleBytes: 65_536,
  errorCharacters: 2_000,
  valueBytes: mebibyte,
  programBytes: 262_144,
  programs: 4,
  programsOfCaller: Number.POSITIVE_INFINITY,
  queuedPrograms: 32,
} as const satisfies ResolvedSandboxLimits

/** Throws at a limit that is not a positive number. */
export function resolveSandboxLimits(given: SandboxLimits = {}): ResolvedSandboxLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of set) {
    if (!Object.hasOwn(defaults, name)) throw new RangeError(`there is no limit ${name}`)
    if (!(value > 0)) throw new RangeError(`${name} must be a number above 0, and is ${value}`)
  }
  return { ...defaults, ...Object.fromEntries(set) }
}

/** A number of bytes for people: `1.4 MiB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < mebibyte ? [bytes / 1024, 'KiB'] : [bytes / mebibyte, 'MiB']
  return `${Number(size.toFixed(1))} ${unit}`
}
