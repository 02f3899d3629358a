import { fail, type Check, type Run } from '../run.ts'
import { readNumber, type Site } from '../site.ts'

/** `minimum`, `maximum`, their exclusive forms and `multipleOf`; what is not a number passes. */
export function compileNumberKeywords(site: Site): Check[] {
  const checks: ((value: number, run: Run) => boolean)[] = []
  const minimum = readNumber(site, 'minimum')
  const maximum = readNumber(site, 'maximum')
  const above = readExclusive(site, 'exclusiveMinimum', minimum)
  const below = readExclusive(site, 'exclusiveMaximum', maximum)
  if (minimum !== undefined) {
    checks.push((value, run) => value >= minimum || fail(run, `must be at least ${minimum}`))
  }
  if (maximum !== undefined) {
    checks.push((value, run) => value <= maximum || fail(run, `must be at most ${maximum}`))
  }
  if (above !== undefined) {
    checks.push((value, run) => value > above || fail(run, `must be more than ${above}`))
  }
  if (below !== undefined) {
    checks.push((value, run) => value < below || fail(run, `must be less than ${below}`))
  }
  const divisor = readNumber(site, 'multipleOf')
  if (divisor !== undefined) {
    const message = `must be a multiple of ${divisor}`
    checks.push((value, run) => isMultiple(value, divisor) || fail(run, message))
  }
  return checks.map((check) => (value, run) => typeof value !== 'number' || check(value, run))
}

/** In draft 4 a boolean makes the plain limit an exclusive one; since then it is a limit of its own. */
function readExclusive(site: Site, keyword: string, limit: number | undefined) {
  const value = site.read(keyword)
  if (site.version > 4 || typeof value !== 'boolean') return readNumber(site, keyword)
  return value ? limit : undefined
}

/** Exact for the decimal digits the numbers are written in, where a remainder of doubles is not. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = toDecimal(value)
  const [divisorDigits, divisorExponent] = toDecimal(divisor)
  const shift = exponent - divisorExponent
  const dividend = shift > 0 ? digits * 10n ** BigInt(shift) : digits
  return dividend % (shift < 0 ? divisorDigits * 10n ** BigInt(-shift) : divisorDigits) === 0n
}

function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
