import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isJsonObject } from '@parley/mcp/json'

import { writePrivateFile } from '../../files/private-file.ts'
import type { SecretStore } from '../../secrets/secret-store.ts'
import type { InputDefinition } from '../entries/config-entry.ts'

/** Answers that were given before, by file and question. */
export interface InputAnswers {
  /** The answer; undefined if none was given. */
  get(file: string, input: InputDefinition): Promise<string | undefined>
  /** Remembers an answer. */
  set(file: string, input: InputDefinition, value: string): Promise<void>
  /** False if there was none. */
  clear(file: string, input: InputDefinition): Promise<boolean>
}

/** Passwords go to the secret store, other answers to a file in the state folder. */
export function createInputAnswers(
  directory: string,
  secrets: () => Promise<SecretStore>,
): InputAnswers {
  const stateFile = join(directory, 'inputs.json')

  async function read(): Promise<{ readonly [key: string]: unknown }> {
    try {
      const value: unknown = JSON.parse(await readFile(stateFile, 'utf8'))
      return isJsonObject(value) ? value : {}
    } catch {
      return {} // nothing was answered yet, or nothing we can read
    }
  }

  function write(answers: object): Promise<void> {
    return writePrivateFile(stateFile, `${JSON.stringify(answers, null, 2)}\n`)
  }

  return {
    async get(file, input) {
      const key = keyOf(file, input)
      if (isPassword(input)) return (await secrets()).get(key)
      const { [key]: value } = await read()
      return typeof value === 'string' ? value : undefined
    },
    async set(file, input, value) {
      const key = keyOf(file, input)
      if (isPassword(input)) await (await secrets()).set(key, value)
      else await write({ ...(await read()), [key]: value })
    },
    async clear(file, input) {
      const key = keyOf(file, input)
      if (isPassword(input)) return (await secrets()).delete(key)
      const { [key]: value, ...others } = await read()
      if (value !== undefined) await write(others)
      return value !== undefined
    },
  }
}

function isPassword(input: InputDefinition): boolean {
  return input.type === 'promptString' && input.isPassword
}

function keyOf(file: string, { id }: InputDefinition): string {
  return `input ${file} ${id}`
}
