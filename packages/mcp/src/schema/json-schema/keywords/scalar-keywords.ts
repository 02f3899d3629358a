/**
 * Keywords for numbers and strings, and the formats that are asserted. Every test takes linear time; multiples are exact for the decimal
 * digits as written.
 *
 * Other keywords are in `object-keywords.ts`, `array-keywords.ts` and `applicators.ts`; `keywords.ts` puts them together.
 */

import { shorten } from '../read-document.ts'
import { fail, type Check, type Run, takeStep } from '../run.ts'
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

/** `minLength`, `maxLength`, `pattern` and `format`; what is not a string passes. */
export function compileStringKeywords(site: Site): Check[] {
  const checks: ((text: string, run: Run) => boolean)[] = []
  const min = readNumber(site, 'minLength')
  if (min !== undefined) {
    const message = `must have at least ${min} characters`
    checks.push((text, run) => hasLength(text, min, run) || fail(run, message))
  }
  const max = readNumber(site, 'maxLength')
  if (max !== undefined) {
    const message = `must have at most ${max} characters`
    checks.push((text, run) => !hasLength(text, max + 1, run) || fail(run, message))
  }
  const pattern = site.read('pattern')
  if (typeof pattern === 'string') {
    const matches = site.compilePattern(pattern, 'pattern')
    const message = `must match the pattern ${shorten(pattern)}`
    checks.push((text, run) => matches(text, run) || fail(run, message))
  }
  const format = site.assertsFormats ? site.read('format') : undefined
  const form = typeof format === 'string' ? formats.get(format) : undefined
  if (form) {
    checks.push((text, run) => {
      takeStep(run, text.length >> 4)
      return form.test(text) || fail(run, `must be ${form.name}`)
    })
  }
  return checks.map((check) => (value, run) => typeof value !== 'string' || check(value, run))
}

/** Whether a text has so many characters or more. Counts code points only where the code units leave it open. */
function hasLength(text: string, count: number, run: Run): boolean {
  if (text.length < count) return false
  if (text.length >= count * 2) return true
  takeStep(run, text.length >> 4)
  let characters = text.length
  for (let index = 1; index < text.length && characters >= count; index++) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)))
      characters--
  }
  return characters >= count
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/** A format that is asserted: what to call it, and whether a text is one. Every test takes linear time. */
export interface Format {
  readonly name: string
  readonly test: (text: string) => boolean
}

/** The formats that are checked; every other name stays an annotation. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['date', { name: 'a date such as 2026-07-28', test: isDate }],
  ['time', { name: 'a time with an offset, such as 09:30:00Z', test: isTime }],
  ['date-time', { name: 'a date and time such as 2026-07-28T09:30:00Z', test: isDateTime }],
  ['email', { name: 'an email address', test: isEmail }],
  ['uri', { name: 'an absolute URI', test: isUri }],
  ['uuid', { name: 'a UUID', test: isUuid }],
  ['ipv4', { name: 'an IPv4 address', test: isIpv4 }],
  ['ipv6', { name: 'an IPv6 address', test: isIpv6 }],
  ['hostname', { name: 'a host name', test: isHostname }],
])

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (daysInMonth[month - 1] ?? 0) && (month !== 2 || day < 29 || isLeap)
}

function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(text)
  if (!match) return false
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number)
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  // A leap second is the last of a day in UTC.
  const offset = (match[4] === '-' ? 1 : -1) * (offsetHour * 60 + offsetMinute)
  return (hour * 60 + minute + offset + 1440) % 1440 === 1439
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || local.length > 64) return false
  const isQuoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(local)
  const isAtoms = local.split('.').every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom))
  if (!isQuoted && !isAtoms) return false
  const literal = /^\[(IPv6:)?(.*)\]$/i.exec(domain)
  if (!literal) return isHostname(domain)
  return literal[1] === undefined ? isIpv4(literal[2] ?? '') : isIpv6(literal[2] ?? '')
}

function isUri(text: string): boolean {
  const match = /^[a-z][a-z\d+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text)
  if (!match) return false
  const [, authority, path = '', query = '', fragment = ''] = match
  const isRest = [path, query.slice(1), fragment.slice(1)].every(isUriText)
  return isRest && (authority === undefined || isAuthority(authority))
}

function isAuthority(authority: string): boolean {
  const match = /^(?:[^@[\]]*@)?(?:\[([^@\]]*)\]|[^@:[\]]*)(?::\d*)?$/.exec(authority)
  if (!match) return false
  const [whole, literal] = match
  if (literal === undefined) return isUriText(whole)
  if (!isUriText(whole.replace(`[${literal}]`, ''))) return false
  return isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal)
}

function isUriText(text: string): boolean {
  return !/[^\w.~!$&'()*+,;=:@/?-]/.test(text.replace(/%[\da-f]{2}/gi, ''))
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

function isIpv4(text: string): boolean {
  const parts = text.split('.', 5)
  return (
    parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  )
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const endsInIpv4 = last.includes('.') && text.endsWith(last)
  if (endsInIpv4 && !isIpv4(groups.pop() ?? '')) return false
  const count = groups.length + (endsInIpv4 ? 2 : 0)
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? count < 8 : count === 8
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false
  return text.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))
}
