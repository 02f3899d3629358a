import type { TextPattern } from '@parley/foundation/text-safety'

const digits = '0123456789'.split('')

/** Patterns of personal data. */
export const piiPatterns: readonly TextPattern[] = [
  {
    name: 'e-mail address',
    hints: ['@'],
    pattern: /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
  },
  {
    name: 'card number',
    hints: digits,
    pattern: /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g,
    isReal: hasCheckDigit,
  },
  {
    name: 'IBAN',
    hints: digits,
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g,
    isReal: hasIbanCheck,
  },
  {
    name: 'social security number',
    hints: ['-'],
    pattern: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g,
  },
]

/** By Luhn. */
function hasCheckDigit(text: string): boolean {
  const numbers = text.replaceAll(/[ -]/g, '').split('').toReversed().map(Number)
  const sum = numbers.reduce((total, digit, index) => {
    const measured = index % 2 === 0 ? digit : digit * 2
    return total + (measured > 9 ? measured - 9 : measured)
  }, 0)
  return sum % 10 === 0
}

/** By the remainder of 97, as ISO 13616 has it. */
function hasIbanCheck(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  let remainder = 0
  for (const letter of plain.slice(4) + plain.slice(0, 4)) {
    for (const digit of String(Number.parseInt(letter, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97
    }
  }
  return remainder === 1
}
