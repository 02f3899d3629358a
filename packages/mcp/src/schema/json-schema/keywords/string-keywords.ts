import { fail, spend, type Check, type Run } from '../run.ts'
import { readNumber, type Site } from '../site.ts'
import { formats } from './formats.ts'
import { shorten } from './keyword-faults.ts'

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
      spend(run, text.length >> 4)
      return form.test(text) || fail(run, `must be ${form.name}`)
    })
  }
  return checks.map((check) => (value, run) => typeof value !== 'string' || check(value, run))
}

/** Whether a text has so many characters or more. Counts code points only where the code units leave it open. */
function hasLength(text: string, count: number, run: Run): boolean {
  if (text.length < count) return false
  if (text.length >= count * 2) return true
  spend(run, text.length >> 4)
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
