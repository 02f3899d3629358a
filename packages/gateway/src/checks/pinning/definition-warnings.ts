import { mixedScripts } from '@parley/foundation/address'
import { findInjection, hiddenParts } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import { mapTexts } from '../patterns/walk-texts.ts'

/** One sentence for each thing in a definition that a reader would not see, and for orders that it gives to a model. */
export function definitionWarnings(name: string, definition: JsonObject): readonly string[] {
  const found = new Set<string>()
  const poll = (text: string) => {
    for (const { text: piece, isHidden } of hiddenParts(text)) {
      if (!isHidden) continue
      if (/\p{Bidi_Control}/u.test(piece)) {
        found.add('It has marks that change the direction of text.')
      } else if (/\p{Cc}/u.test(piece)) found.add('It has control characters.')
      else found.add('It has characters that do not show.')
    }
    return text
  }
  poll(name)
  mapTexts(definition, poll, () => found.add('It is nested too deep to be looked at.'))
  for (const word of name.slice(0, 200).split(/[^\p{L}\p{M}]+/u)) {
    const scripts = mixedScripts(word)
    if (scripts.length > 0) found.add(`Its name mixes letters of ${scripts.join(' and ')}.`)
  }
  const orders = findInjection(definition)
  if (orders.length > 0) found.add(`It gives the model orders: ${orders.join(', ')}.`)
  return [...found]
}
