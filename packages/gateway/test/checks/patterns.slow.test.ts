import { scanForInjection } from '@parley/foundation/text-safety'
import { scanText } from '@parley/foundation/text-safety'
import { test } from 'vitest'

import { piiPatterns } from '../../src/checks/patterns/pii-patterns.ts'
import { secretPatterns } from '../../src/checks/patterns/secret-patterns.ts'

/** Beginnings of what is looked for, over and over. */
const hostile = [
  'eyJ', '-eyJ', 'eyJa.', 'a.eyJaaaaaa.', 'ghp_', 'ghp_a', ' ghp_aaaaaaaaaaaaaaaaaaaa', 'AKIA', 'AKIAAAAA ', 'sk-', 'sk-a-', 'xoxb-', 'xoxb-1',
  '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', '://', '://:', '://a:b', 'Bearer ', 'Bearer aaaa ', 'a@', '@a.', 'a@a.a.', 'a.a@', '1 ', '1-', '1', 'GB82 ',
  'A1', '078-05-', 'ignore ', 'ignore all the ', 'ignore the the previous ', 'you are now ', 'do not tell ', '<|', '[INST', '\u200b', 'ﷺ', '\u{e0041}', 'pgk_a', ' \n', '*-_',
] // oxfmt-ignore

/** With a pattern that goes back over the text again and again, this would not end. */
test('a megabyte of each kind is looked at in the end', () => {
  for (const part of hostile) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    scanText(text, secretPatterns)
    scanText(text, piiPatterns)
    scanForInjection(text)
  }
})
