import { encodeBase64 } from '../schema/json/base64.ts'

const prefix = '=?base64?'
const suffix = '?='

/** What a header can repeat of a body. */
export type HeaderValue = string | number | boolean

/** A value as a header carries it: as it is where that is safe, else as base64 of its UTF-8 between marks. */
export function encodeHeaderValue(value: HeaderValue): string {
  const text = String(value)
  return isSafe(text) ? text : `${prefix}${encodeBase64(encoder.encode(text))}${suffix}`
}

/** What a header says; undefined for bytes that no header may have, and for base64 that is none to the letter. */
export function decodeHeaderValue(text: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(text)) return undefined
  const value = text.trim() // blanks around a field are no part of it
  const payload = value.slice(prefix.length, -suffix.length)
  const isWrapped = value.length >= prefix.length + suffix.length && looksWrapped(value)
  return isWrapped ? decodeBase64Text(payload) : value
}

/** Whether a header says what the body says. One for nothing is as wrong as none for something: it would mislead. */
export function repeatsValue(text: string | undefined, value: HeaderValue | undefined): boolean {
  if (text === undefined || value === undefined) return text === value
  if (text === encodeHeaderValue(value)) return typeof value !== 'number' || isExact(value)
  const said = decodeHeaderValue(text)
  if (said === undefined || typeof value !== 'number') return said === String(value)
  return isExact(value) && isNumber(said) && Number(said) === value
}

/** Beyond this, two integers that differ are read as one. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}

/** Printable ASCII that keeps its ends on the way and is not taken for base64. */
function isSafe(text: string): boolean {
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !looksWrapped(text)
}

function looksWrapped(text: string): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix)
}

/** `atob` forgives missing padding and blanks; writing it again does not. */
function decodeBase64Text(payload: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    return encodeBase64(bytes) === payload ? decoder.decode(bytes) : undefined
  } catch {
    return undefined // not its alphabet, or not UTF-8
  }
}

const encoder = new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
