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
