import { UsageError } from '../usage-error.ts'

const units: { readonly [unit: string]: number } = {
  '': 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
}

/** `512M`, `2G`, `65536` in bytes. Throws `UsageError`. */
export function readBytes(text: string, flag: string): number {
  const [, amount = '', unit = ''] = /^(\d+)([KMG]?)(?:i?B)?$/i.exec(text.trim()) ?? []
  const bytes = Number(amount) * (units[unit.toUpperCase()] ?? 0)
  if (amount !== '' && bytes > 0 && Number.isSafeInteger(bytes)) return bytes
  throw new UsageError(`${flag} ${JSON.stringify(text)} is not a size: write 512M, 2G or 65536`)
}
