import type { ElicitHandler, SampleHandler } from '@parley/mcp/client'

import { askPerson } from './form.ts'
import type { Terminal } from './terminal.ts'

/** Asks the person at the terminal; where there is none, a scripted user answers. */
export function answerForms(terminal: Terminal): ElicitHandler {
  return async (request, { signal, name }) => {
    terminal.print(`    ${name ?? 'the server'} asks: ${request.message}`)
    if (request.mode !== 'form') {
      terminal.print(`    ${request.url} is shown, and not opened: this is a tour`)
      return { action: 'accept' }
    }
    if (terminal.isInteractive) {
      terminal.print(terminal.paint('dim', '    (Ctrl-D declines)'))
      return askPerson(request.requestedSchema, signal)
    }
    terminal.print('    a scripted user fills in: name = Ada, integer = 36, check = true')
    return { action: 'accept', content: { name: 'Ada', integer: 36, check: true } }
  }
}

/** Stands in for a model. */
export function answerAsModel(terminal: Terminal): SampleHandler {
  return ({ messages }) => {
    const asked = [messages.at(-1)?.content ?? []].flat()[0]
    const text = asked?.type === 'text' ? asked.text : '(no text)'
    terminal.print(`    a scripted model reads: ${text}`)
    return {
      role: 'assistant',
      content: { type: 'text', text: 'Two sides that agree on how to talk.' },
      model: 'scripted-model',
      stopReason: 'endTurn',
    }
  }
}
