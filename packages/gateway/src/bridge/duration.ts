import { UsageError } from '../usage-error.ts'

const units: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** `4000ms`, `5s`, `10m`, `2h` in milliseconds. Throws `UsageError`. */
export function readDuration(text: string, flag: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? []
  const ms = Number(amount) * (units[unit] ?? 0)
  if (ms > 0 && Number.isFinite(ms)) return ms
  const fix =
    amount !== '' && unit === ''
      ? `${flag} ${text} has no unit: write ${text}ms or ${text}s`
      : `${flag} ${JSON.stringify(text)} is not a duration: write 4000ms, 5s, 10m or 2h`
  throw new UsageError(fix)
}
