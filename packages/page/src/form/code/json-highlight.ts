import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

const ours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-name)' },
  { tag: tags.string, color: 'var(--json-text)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-word)' },
])

/** The same colours as the tree, in both schemes. */
export const jsonHighlight: Extension = syntaxHighlighting(ours)
