import { UsageError } from './usage-error.ts'

/** The whole number from 1 on that an option was given; undefined if it was not given. */
export function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (value > 0 && Number.isSafeInteger(value)) return value
  throw new UsageError(`--${flag} takes a whole number of at least 1, not ${JSON.stringify(text)}.`)
}

/** The number above zero that an option was given; undefined if it was not given. */
export function readPositive(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new UsageError(`--${flag} takes a number greater than 0, not ${JSON.stringify(text)}.`)
}
