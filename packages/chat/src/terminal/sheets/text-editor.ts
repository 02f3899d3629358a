import { composerLines } from '../composer-lines.ts'
import { composerWith, editText, moveLine, wholeText, type Composer } from '../composer.ts'
import type { Key } from '../key-reader.ts'
import { paragraph, type Line } from '../line.ts'
import { keyLine, type Sheet, type SheetStep } from './sheet.ts'

/** What an editor is for. */
export interface EditorPurpose {
  /** Above the text. */
  readonly title: string
  /** What becomes of the text: what is wrong with it, or what comes next. */
  accept(text: string): { readonly problem: string } | { readonly step: SheetStep }
  /** Without a change. */
  cancel(): Sheet
}

/** A text of several lines that a person changes. */
export function editorSheet(text: string, purpose: EditorPurpose): Sheet {
  return sheetOf({ composer: composerWith(text), problem: '' }, purpose)
}

interface EditorState {
  readonly composer: Composer
  readonly problem: string
}

function sheetOf({ composer, problem }: EditorState, purpose: EditorPurpose): Sheet {
  return {
    lines: (width) => [
      ...paragraph(purpose.title, width, 'bold'),
      ...(problem === '' ? [] : paragraph(problem, width, 'bad')),
    ],
    editor: { lines: (width): readonly Line[] => composerLines(composer, width, '  ') },
    keys: keyLine([
      ['Ctrl-S', 'use it'],
      ['Esc', 'back'],
    ]),
    press(key: Key) {
      const name = key.kind === 'key' ? key.name : ''
      if (name === 'escape') return { kind: 'sheet', sheet: purpose.cancel() }
      if (name === 'ctrl-s' || name === 'ctrl-d') {
        const outcome = purpose.accept(wholeText(composer))
        if ('step' in outcome) return outcome.step
        return { kind: 'sheet', sheet: sheetOf({ composer, problem: outcome.problem }, purpose) }
      }
      const moved =
        name === 'up' ? moveLine(composer, -1) : name === 'down' ? moveLine(composer, 1) : undefined
      const written = name === 'enter' ? ({ kind: 'key', name: 'newline' } as const) : key
      const next = moved ?? editText(composer, written)
      return next === undefined
        ? undefined
        : { kind: 'sheet', sheet: sheetOf({ composer: next, problem: '' }, purpose) }
    },
  }
}
