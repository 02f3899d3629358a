import type { JsonValue } from '@parley/mcp'

import { mapTexts } from './hidden-characters.ts'
import { plainLetters } from './look-alikes.ts'
import { scanText, type Scan, type TextPattern } from './text-pattern.ts'

const gap = String.raw`[\s"'*_,:-]{1,10}`
const words = (...parts: readonly string[]) => new RegExp(parts.join(gap), 'gi')

/** Sentences that speak to a model rather than answer it. Plain and few: what is found is a reason to look, not a proof. */
const sentences: readonly TextPattern[] = [
  {
    name: 'instruction to ignore instructions',
    hints: [''],
    pattern: words(
      '(?:ignore|disregard|forget|override)',
      '(?:(?:all|any|the|your|of|my)[\\s]{1,5}){0,3}(?:previous|prior|above|earlier|preceding|existing|system)',
      '(?:instructions?|messages?|prompts?|rules|directives|context)',
    ),
  },
  {
    name: 'instruction to hide something from the user',
    hints: [''],
    pattern: words(
      '(?:do not|don.t|never|without)',
      '(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|reveal|revealing)',
      '(?:(?:this|it|anything|that)[\\s]{1,5}){0,2}(?:to[\\s]{1,5})?(?:the[\\s]{1,5})?user',
    ),
  },
  {
    name: 'instruction to keep something from the user',
    hints: [''],
    pattern: words(
      '(?<!instruction to )(?:hide|conceal|keep)',
      '[^.!?\\n]{1,60}?from',
      '(?:the[\\s]{1,5})?user',
    ),
  },
  {
    name: 'instruction to read keys',
    hints: ['.', '_'],
    pattern:
      /(?<![a-z]|instruction to )(?:read|open|load|cat|copy|send|pass|include|attach|upload)(?![a-z])[^.!?\n]{1,80}?(?:~\/\.(?:ssh|aws|gnupg|kube|netrc|npmrc|docker)|\bid_(?:rsa|ed25519|ecdsa)|\.(?:cursor|claude)\/[a-z_-]{1,30}\.json)[^\s"'<>]{0,100}/gi,
  },
  {
    name: 'new role for the model',
    hints: [''],
    pattern: words(
      'you',
      'are',
      'now',
      '(?:in|a|an|the|no|free|jailbroken|unrestricted|dan)',
      '[a-z]{1,30}',
    ),
  },
  {
    name: 'control token of a model',
    hints: ['<', '['],
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|important|instructions?)>/gi,
  },
]

/** Text written in tags: a message that nobody sees. Flags of regions are written in up to six of them. */
const tagText = /[\u{e0020}-\u{e007e}]{7,}/gu

/** Looks for instructions to a model, also between hidden characters and in letters that look like others. */
export function scanForInjection(text: string): Scan {
  const plain = scanText(text, sentences)
  const withoutTags = plain.redacted.replace(tagText, '[redacted: hidden text]')
  const hasTags = withoutTags !== plain.redacted
  const found = hasTags ? [...plain.found, 'hidden text'] : plain.found
  if (found.length > 0 || isAscii(text)) return { found, redacted: withoutTags }
  const { found: disguised } = scanText(plainLetters(text), sentences)
  if (disguised.length === 0) return { found, redacted: text }
  return { found: disguised, redacted: `[redacted: ${disguised.join(', ')}]` }
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text)
}

/** The same for every text and name in a value, such as the definition of a tool: what was found, each once. */
export function findInjection(value: JsonValue): readonly string[] {
  const found = new Set<string>()
  mapTexts(value, (text) => {
    for (const name of scanForInjection(text).found) found.add(name)
    return text
  })
  return [...found]
}
