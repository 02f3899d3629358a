/**
 * `parley publish`: from a project to a published version. In a terminal it asks for each step that is missing: writing
 * `server.json`, and signing in. Without one it fails with the command that does the step, so that scripts never wait.
 */

import { access } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { RegistryClient } from '@parley/registry/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import { createPrinter, flat } from '../output/printer.ts'
import { createPrompter, type Prompter } from '../questions/asker.ts'
import { openRegistryClient, readToken, withRegistry } from './connection.ts'
import { initDocument, requireValid, type DocumentFlags } from './documents.ts'
import { login, signInWays } from './login.ts'

/** Publishes a version. */
export async function publish(
  file: string,
  flags: DocumentFlags,
  context: CommandContext,
): Promise<void> {
  const { io } = context
  const asker = io.stdin.isTTY === true && flags.json !== true ? createPrompter(io) : undefined
  try {
    if (asker) await offerDocument(file, flags, context, asker)
    const document = await requireValid(file, { ...flags, quiet: true, json: false }, io)
    const printer = createPrinter(io, flags)
    const client = await openRegistryClient(flags, io)
    if (flags.dryRun) {
      const { valid, issues } = await withRegistry(() => client.validate(document))
      if (printer.isJson) printer.json({ valid, issues })
      else printer.line(valid ? `${client.url} would accept it` : `${client.url} would refuse it`)
      if (!valid) throw new CliError('invalid', 'the registry would refuse it')
      return
    }
    const token = await tokenFor(client, flags, context, asker)
    const published = await withRegistry(() => client.publish(document, token))
    if (printer.isJson) return printer.json(published)
    printer.line(`published ${flat(published.server.name)} ${flat(published.server.version)}`)
  } finally {
    asker?.close()
  }
}

async function offerDocument(
  file: string,
  flags: DocumentFlags,
  context: CommandContext,
  asker: Prompter,
): Promise<void> {
  const isThere = await access(resolve(context.io.cwd, file)).then(
    () => true,
    () => false,
  )
  if (isThere || file !== 'server.json') return
  if (!isYes(await asker.ask('There is no server.json here. Write one from package.json? [Y/n] ')))
    return
  const name = await asker.ask('Name to publish under (Enter for the suggested one): ')
  await initDocument({ ...flags, ...(name && { name }) }, context)
}

/** The token of the last sign-in, or of one now. */
async function tokenFor(
  client: RegistryClient,
  flags: DocumentFlags,
  context: CommandContext,
  asker: Prompter | undefined,
): Promise<string> {
  const { io } = context
  try {
    return await readToken(client, io)
  } catch (error) {
    if (asker === undefined || !(error instanceof CliError)) throw error
    const ways = signInWays.join(', ')
    const way = await asker.ask(`Sign in to ${client.url} how (${ways})? [github] `)
    if (way === undefined) throw error
    const answer = async (question: string) => (await asker.ask(question)) ?? ''
    const isDomain = way === 'dns' || way === 'http'
    const needsKey = (isDomain || way === 'key') && io.env['PARLEY_REGISTRY_KEY'] === undefined
    await login(
      way || 'github',
      {
        ...flags,
        ...(isDomain && { domain: await answer('Your domain: ') }),
        ...(way === 'key' && { key: await answer("The registry's name of your key: ") }),
        ...(needsKey && { keyFile: await answer('File of your private key: ') }),
      },
      context,
    )
    return readToken(client, io)
  }
}

function isYes(answer: string | undefined): boolean {
  return answer !== undefined && /^(?:y|yes)?$/i.test(answer.trim())
}
