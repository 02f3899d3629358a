import {
  createInputAnswers,
  type ConfigEntry,
  type InputDefinition,
} from '@parley/foundation/config'
import { openSecretStore, stateFolder, type SecretStore } from '@parley/foundation/secrets'

import type { CommonFlags } from '../flags.ts'
import type { Io } from '../io.ts'
import { createPrompter, type Prompter } from '../questions/asker.ts'

/** Answers the questions of an entry: what was answered before, else whoever sits at the terminal. */
export interface AnswerSource extends AsyncDisposable {
  ask(input: InputDefinition): Promise<string | undefined>
  secret(name: string): Promise<string | undefined>
}

export function answerSource(entry: ConfigEntry, flags: CommonFlags, io: Io): AnswerSource {
  let secrets: Promise<SecretStore> | undefined
  let prompter: Prompter | undefined
  const open = () => (secrets ??= openSecretStore({ env: io.env }))
  const answers = createInputAnswers(stateFolder({ env: io.env }), open)
  const { file } = entry.source
  const mayAsk = io.stdin.isTTY === true && flags.json !== true

  return {
    async ask(input) {
      const stored = await answers.get(file, input)
      if (stored !== undefined || !mayAsk) return stored
      prompter ??= createPrompter(io)
      const value = await askFor(input, entry.name, prompter)
      if (value !== undefined) await answers.set(file, input, value)
      return value
    },
    async secret(name) {
      return (await open()).get(name)
    },
    async [Symbol.asyncDispose]() {
      prompter?.close()
    },
  }
}

async function askFor(
  input: InputDefinition,
  server: string,
  prompter: Prompter,
): Promise<string | undefined> {
  const { id, description = id, default: preset } = input
  const choices = input.type === 'pickString' ? ` [${input.options.join(', ')}]` : ''
  const suffix = preset === undefined ? '' : ` (${preset})`
  const isHidden = input.type === 'promptString' && input.isPassword
  for (;;) {
    const line = await prompter.ask(`${server} needs ${description}${choices}${suffix}: `, {
      isHidden,
    })
    if (line === undefined) return undefined
    const value = line === '' ? preset : line
    if (value === undefined) continue
    if (input.type !== 'pickString' || input.options.includes(value)) return value
  }
}
