import type { Source } from '../schema/gather.ts'
import type { Shape } from '../schema/shape.ts'
import { sampleOfPattern } from './sample-pattern.ts'

const byFormat: { readonly [format: string]: string } = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'PT1H',
  email: 'someone@example.com',
  'idn-email': 'someone@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/path',
  'uri-template': '/path/{name}',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/name',
  regex: '^a+$',
  byte: 'dGV4dA==',
}

/** A text of the format, pattern and length asked for, as far as that can be had without search. */
export function sampleText({ checker }: Source, shape: Shape): string {
  const { minLength = 0, maxLength = Infinity } = shape.limits
  const formatSample = shape.format === undefined ? undefined : byFormat[shape.format]
  const made = shape.patterns.map((pattern) => sampleOfPattern(pattern, minLength))
  const matches = (text: string) =>
    shape.patterns.every((pattern) => checker.matches(pattern, text)) &&
    text.length >= minLength &&
    text.length <= maxLength
  const candidates = [formatSample, ...made, 'text', 'a', 'A1', '1', '1.0.0', '2026-01-31', '']
  const fitting = candidates.find((text) => text !== undefined && matches(text))
  if (fitting !== undefined) return fitting
  const filled = (formatSample ?? 'text').padEnd(Math.min(minLength, 10_000), 'x')
  return filled.slice(0, Math.min(maxLength, 10_000))
}

/** A number inside the bounds: zero where it fits, else the one nearest to it. */
export function sampleNumber({ limits, types }: Shape): number {
  const step = limits.multipleOf ?? (types?.has('integer') ? 1 : undefined)
  const { exclusiveMinimum, exclusiveMaximum } = limits
  const small = step ?? gap(exclusiveMinimum, exclusiveMaximum)
  const low = Math.max(
    limits.minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + small,
  )
  const high = Math.min(
    limits.maximum ?? Infinity,
    exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - small,
  )
  const nearest = Math.min(Math.max(0, low), high)
  if (step === undefined || step <= 0) return nearest
  const down = Math.floor(nearest / step) * step
  const stepped = down >= low ? down : Math.ceil(nearest / step) * step
  return Number.isFinite(stepped) ? stepped : nearest
}

function gap(low: number | undefined, high: number | undefined): number {
  return low !== undefined && high !== undefined && high > low ? Math.min(1, (high - low) / 2) : 1
}
