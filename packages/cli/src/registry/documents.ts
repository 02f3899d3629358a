import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

import { errorMessage } from '@parley/mcp/json'
import type { ServerStatus } from '@parley/registry/client'

import type { CommandContext } from '../command.ts'
import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'
import { counted, createPrinter, flat } from '../output/printer.ts'
import { openRegistryClient, readToken, withRegistry, type RegistryFlags } from './connection.ts'

/** Flags of the commands for `server.json`. */
export interface DocumentFlags extends RegistryFlags {
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly name?: string
}

/** Writes a `server.json` from what the project says of itself. */
export async function initDocument(flags: DocumentFlags, { io }: CommandContext): Promise<void> {
  const { schemaUrl } = await import('@parley/registry/client')
  const path = join(io.cwd, 'server.json')
  const project = await readProject(io)
  const name = flags.name ?? project.mcpName ?? nameFrom(project)
  const document = {
    $schema: schemaUrl,
    name,
    description: (project.description ?? `${name}, an MCP server`).slice(0, 100),
    version: project.version ?? '0.1.0',
    ...(project.repository !== undefined && { repository: project.repository }),
    ...(project.name !== undefined && {
      packages: [
        {
          registryType: 'npm',
          identifier: project.name,
          version: project.version ?? '0.1.0',
          transport: { type: 'stdio' },
        },
      ],
    }),
  }
  await writeFile(path, `${JSON.stringify(document, null, 2)}\n`, {
    flag: flags.force ? 'w' : 'wx',
  }).catch((cause: unknown) => {
    throw new CliError('error', `${path} exists already`, { hint: 'Use --force.', cause })
  })
  const printer = createPrinter(io, flags)
  if (printer.isJson) return printer.json({ file: path, document })
  printer.line(`wrote ${path}`)
  if (project.name !== undefined && project.mcpName !== name) {
    printer.note(`add "mcpName": "${name}" to package.json, which proves that the package is yours`)
  }
  printer.note('next: parley registry validate')
}

/** Says everything that is wrong; nothing is sent. */
export async function validate(
  file: string,
  flags: DocumentFlags,
  { io }: CommandContext,
): Promise<void> {
  await requireValid(file, flags, io)
}

/** Flags of `parley registry status`. */
export interface StatusFlags extends RegistryFlags {
  readonly status?: string
  readonly message?: string
  readonly allVersions?: boolean
}

/** Deprecates, deletes and restores. */
export async function changeStatus(
  name: string,
  version: string | undefined,
  flags: StatusFlags,
  { io }: CommandContext,
): Promise<void> {
  const status = statusOf(flags.status)
  if ((version === undefined) !== (flags.allVersions === true)) {
    throw new CliError('error', 'name one version, or use --all-versions')
  }
  const printer = createPrinter(io, flags)
  const client = await openRegistryClient(flags, io)
  const token = await readToken(client, io)
  const change = { status, ...(flags.message !== undefined && { statusMessage: flags.message }) }
  const changed = await withRegistry(() => client.setStatus(name, version, change, token))
  if (printer.isJson) return printer.json({ servers: changed })
  printer.line(`${counted(changed.length, 'version')} of ${flat(name)}: ${status}`)
}

function statusOf(text: string | undefined): ServerStatus {
  if (text === 'active' || text === 'deprecated' || text === 'deleted') return text
  const seen = text === undefined ? '--status is missing' : `--status ${text} is unknown`
  throw new CliError('error', `${seen}: use active, deprecated or deleted`)
}

/** The document, if it is valid; prints what is wrong with it. */
export async function requireValid(file: string, flags: DocumentFlags, io: Io) {
  const { validateDocument } = await import('@parley/registry/client')
  const path = resolve(io.cwd, file)
  const validation = validateDocument(await readJson(path))
  const printer = createPrinter(io, flags)
  const { issues, isValid } = validation
  if (printer.isJson) printer.json({ file: path, valid: isValid, issues })
  else {
    for (const { path: documentPath, message, severity } of issues) {
      const where = documentPath === '' ? basename(path) : documentPath
      printer.line(`${severity}: ${flat(where)} ${flat(message)}`)
    }
    if (isValid) printer.note(`${path} is valid`)
  }
  if (validation.isValid) return validation.document
  const count = issues.filter(({ severity }) => severity === 'error').length
  throw new CliError('invalid', `${path} has ${counted(count, 'error')}`)
}

/** Reads a document of the user's. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CliError('error', `${path} cannot be read`, {
      hint: 'Make one with `parley registry init`.',
      cause,
    })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    const why = errorMessage(cause)
    throw new CliError('invalid', `${path} is not JSON: ${why}`, { cause })
  }
}

interface Project {
  readonly name?: string | undefined
  readonly mcpName?: string | undefined
  readonly description?: string | undefined
  readonly version?: string | undefined
  readonly repository?: { readonly url: string; readonly source: string } | undefined
}

/** What `package.json` says; nothing without one. */
async function readProject({ cwd }: Io): Promise<Project> {
  const text = await readFile(join(cwd, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  const found = JSON.parse(text) as { readonly [field: string]: unknown } // looked at one by one
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const { repository } = found
  const url =
    typeof repository === 'object' && repository !== null && 'url' in repository
      ? textOf(repository.url)
      : textOf(repository)
  const match = /(?:^|[/@:])(github|gitlab)\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:#.*)?$/.exec(
    url ?? '',
  )
  const short = /^(?:(github|gitlab):)?([\w.-]+\/[\w.-]+)$/.exec(url ?? '')
  const [, source = 'github', path] = match ?? short ?? []
  return {
    name: textOf(found['name']),
    mcpName: textOf(found['mcpName']),
    description: textOf(found['description']),
    version: textOf(found['version']),
    repository: path === undefined ? undefined : { url: `https://${source}.com/${path}`, source },
  }
}

/** From the repository's owner, else a name to be replaced. */
function nameFrom({ name, repository }: Project): string {
  const last = (name ?? 'my-server').replace(/^@[^/]*\//, '').replaceAll(/[^\w.-]+/g, '-')
  const owner = /^https:\/\/github\.com\/([\w-]+)\//.exec(repository?.url ?? '')?.[1]
  return owner === undefined ? `com.example/${last}` : `io.github.${owner}/${last}`
}
