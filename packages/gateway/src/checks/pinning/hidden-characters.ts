import { mixedScripts } from '@parley/foundation/address'
import type { JsonObject } from '@parley/mcp'

import { mapTexts } from '../patterns/walk-texts.ts'

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const invisible = /\p{Default_Ignorable_Code_Point}/u
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u

/** What a reader of a definition would not see: one sentence for each kind. */
export function hiddenCharacters(name: string, definition: JsonObject): readonly string[] {
  const found = new Set<string>()
  const look = (text: string) => {
    if (bidirectional.test(text)) found.add('It has marks that change the direction of text.')
    else if (invisible.test(text.replaceAll(emojiParts, '')))
      found.add('It has characters that do not show.')
    if (control.test(text)) found.add('It has control characters.')
    return text
  }
  look(name)
  mapTexts(definition, look, () => found.add('It is nested too deep to be looked at.'))
  for (const word of name.slice(0, 200).split(/[^\p{L}\p{M}]+/u)) {
    const scripts = mixedScripts(word)
    if (scripts.length > 0) found.add(`Its name mixes letters of ${scripts.join(' and ')}.`)
  }
  return [...found]
}

/** Emoji are put together with joiners and selectors of their form. */
const emojiParts = /(?<=\p{Extended_Pictographic})[\u{fe0f}\u{200d}]+|(?<=\ufe0f)\u200d/gu
