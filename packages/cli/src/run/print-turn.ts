import { safeText } from '@parley/foundation/terminal'
import { withoutHidden } from '@parley/foundation/text-safety'
import type { TurnEvent } from '@parley/host'

import type { Io } from '../io.ts'
import type { Printer } from '../output/printer.ts'

/** Shows a turn: as JSON lines, or the answer alone with remarks on standard error. */
export function createTurnPrinter(io: Io, printer: Printer): (event: TurnEvent) => void {
  let isLineOpen = false

  function text(written: string): void {
    const clean = withoutControls(written)
    if (clean === '') return
    io.stdout.write(clean)
    isLineOpen = !clean.endsWith('\n')
  }

  return (event) => {
    if (printer.isJson) {
      if (event.type !== 'end') printer.jsonLine(event)
      return
    }
    if (event.type === 'text') return text(event.text)
    if (isLineOpen && (event.type === 'call' || event.type === 'end')) {
      io.stdout.write('\n')
      isLineOpen = false
    }
    const remark = remarkOn(event)
    if (remark !== undefined) printer.note(remark)
  }
}

const states = {
  idle: 'not started',
  connecting: 'connecting',
  ready: 'ready',
  failed: 'not available',
  'sign-in': 'waiting for a sign-in',
  off: 'off',
} as const

/** What of it a person wants to know besides the answer. */
function remarkOn(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'server':
      return event.error === undefined || event.state === 'connecting'
        ? undefined
        : `${event.server} is ${states[event.state]}: ${event.error}`
    case 'call': {
      const args = safeText(JSON.stringify(event.arguments), { lineLength: 200 })
      return `[${event.server}: ${event.tool} ${args}]`
    }
    case 'decision':
      return event.decision === 'deny' ? `[denied: ${event.rule}]` : undefined
    case 'program':
      return `[program: ${safeText(event.source, { multiline: false, lineLength: 200 })}]`
    case 'log':
      return `[console: ${safeText(event.text, { multiline: false, lineLength: 200 })}]`
    case 'program-end':
      return event.outcome === 'returned' ? undefined : `[program ended: ${event.outcome}]`
    case 'notice':
      return `${event.server === undefined ? '' : `${event.server}: `}${event.message}`
    case 'text':
    case 'reasoning':
    case 'progress':
    case 'result':
    case 'end':
      return undefined
  }
}

// oxlint-disable-next-line no-control-regex
const sequences = /\r|\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g
/** A model's text comes in pieces: what joins an emoji may be the first or the last of one. */
const piece = /^((?:\u200c|\u200d|\ufe0e|\ufe0f){0,2})(.*?)((?:\u200c|\u200d|\ufe0e|\ufe0f){0,2})$/s

/** Text that a terminal shows and does not obey: escape sequences and hidden characters are left out. */
function withoutControls(text: string): string {
  const [, first = '', rest = '', last = ''] = piece.exec(text.replaceAll(sequences, '')) ?? []
  return `${first}${withoutHidden(rest).text}${last}`
}
