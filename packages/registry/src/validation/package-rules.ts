import type { NamedInput, ServerArgument, ServerPackage } from '../document/server-document.ts'
import { readOciReference } from '../install/package-identity.ts'
import type { Report } from './issue.ts'
import { findLinkProblem, parseTemplate, variablesOf } from './url-rules.ts'
import { findVersionProblem } from './version-rules.ts'

/** Where packages of a kind must come from, if the registry says so. */
export type PackageBases = { readonly [registryType: string]: readonly string[] | undefined }

/** One package, besides its shape. */
export function checkPackage(
  serverPackage: ServerPackage,
  path: string,
  bases: PackageBases,
  report: Report,
): void {
  const { identifier, version, registryType, registryBaseUrl, transport } = serverPackage
  if (/\s/.test(identifier)) {
    report(`${path}.identifier`, 'must not contain spaces', 'package-identifier')
  }
  const problem = version === undefined ? undefined : findVersionProblem(version)
  if (problem !== undefined) report(`${path}.version`, problem, 'package-version')
  const kind = kinds.get(registryType)
  if (kind === undefined) {
    const types = [...kinds.keys()].join(', ')
    report(`${path}.registryType`, `is unknown: use one of ${types}`, 'registry-type')
  } else kind(serverPackage, path, report)
  const allowed = bases[registryType]
  if (registryBaseUrl !== undefined && allowed && !allowed.includes(registryBaseUrl)) {
    report(`${path}.registryBaseUrl`, `must be ${allowed[0]} for ${registryType}`, 'registry-base')
  }
  if (transport.type === 'stdio' && transport.url !== undefined) {
    report(`${path}.transport.url`, 'has no meaning for stdio: leave it out', 'transport-url')
  }
  if (transport.type !== 'stdio' && transport.url !== undefined) {
    checkLocalUrl(serverPackage, transport.url, `${path}.transport.url`, report)
  }
  checkArguments(serverPackage.runtimeArguments, `${path}.runtimeArguments`, report)
  checkArguments(serverPackage.packageArguments, `${path}.packageArguments`, report)
  checkNames(serverPackage.environmentVariables, `${path}.environmentVariables`, report)
}

type KindRule = (serverPackage: ServerPackage, path: string, report: Report) => void

/** A named package of a fixed version. */
const released: KindRule = ({ version, fileSha256 }, path, report) => {
  if (version === undefined) report(`${path}.version`, 'must be given', 'package-version')
  if (fileSha256 !== undefined) {
    report(`${path}.fileSha256`, 'is only for mcpb packages: leave it out', 'package-hash')
  }
}

const ociHosts =
  /^(?:docker\.io|ghcr\.io|mcr\.microsoft\.com|(?:[a-z0-9-]+\.)+pkg\.dev|(?:[a-z0-9-]+\.)+azurecr\.io)$/

const oci: KindRule = ({ identifier, version, registryBaseUrl, fileSha256 }, path, report) => {
  const say = (field: string, message: string) => report(`${path}.${field}`, message, 'oci-package')
  if (version !== undefined) say('version', 'must be left out: the identifier has the tag')
  if (registryBaseUrl !== undefined)
    say('registryBaseUrl', 'must be left out: the identifier has it')
  if (fileSha256 !== undefined) say('fileSha256', 'is only for mcpb packages: leave it out')
  const reference = readOciReference(identifier)
  if (reference === undefined) {
    say('identifier', 'must be registry/namespace/image:tag, or end in @sha256:…')
  } else if (!ociHosts.test(reference.host)) {
    say('identifier', `${reference.host} is not one of the image registries that are accepted`)
  }
}

const mcpb: KindRule = ({ identifier, registryBaseUrl, fileSha256 }, path, report) => {
  const say = (field: string, message: string) =>
    report(`${path}.${field}`, message, 'mcpb-package')
  if (fileSha256 === undefined) say('fileSha256', 'must be given: clients check the file by it')
  if (registryBaseUrl !== undefined)
    say('registryBaseUrl', 'must be left out: the identifier has it')
  const problem = findLinkProblem(identifier)
  if (problem !== undefined) return say('identifier', `is not the URL of a file: ${problem}`)
  const { hostname, pathname } = new URL(identifier)
  const isRelease =
    (hostname === 'github.com' && /^\/[^/]+\/[^/]+\/releases\/download\/./.test(pathname)) ||
    (hostname === 'gitlab.com' &&
      /\/-\/(?:releases|package_files|jobs|archive)\/.|\/packages\/generic\/./.test(pathname))
  if (!isRelease) say('identifier', 'must be a file of a GitHub or GitLab release')
  if (!/mcp/i.test(identifier)) say('identifier', 'must contain "mcp"')
}

const kinds: ReadonlyMap<string, KindRule> = new Map([
  ['npm', released],
  ['pypi', released],
  ['nuget', released],
  ['cargo', released],
  ['oci', oci],
  ['mcpb', mcpb],
])

function checkLocalUrl(
  serverPackage: ServerPackage,
  url: string,
  path: string,
  report: Report,
): void {
  if (parseTemplate(url) === undefined) report(path, 'is not a URL', 'transport-url')
  const inputs: readonly (ServerArgument | NamedInput)[] = [
    ...(serverPackage.runtimeArguments ?? []),
    ...(serverPackage.packageArguments ?? []),
    ...(serverPackage.environmentVariables ?? []),
  ]
  const hosts = new Set(
    inputs.flatMap((input) => [
      input.name ?? '',
      (input.name ?? '').replace(/^-+/, ''),
      'valueHint' in input ? (input.valueHint ?? '') : '',
    ]),
  )
  for (const name of variablesOf(url).filter((variable) => !hosts.has(variable))) {
    const message = `{${name}} is neither an argument nor an environment variable of this package`
    report(path, message, 'transport-variables')
  }
}

function checkArguments(
  list: readonly ServerArgument[] | undefined,
  path: string,
  report: Report,
): void {
  for (const [index, value] of (list ?? []).entries()) {
    if (value.type !== 'named' || value.name === undefined) continue
    const { name } = value
    if (/[\s<>$]/.test(name)) {
      const message = 'must be the flag alone, without spaces, <, > and $'
      report(`${path}[${index}].name`, message, 'argument-name')
    }
    for (const field of ['value', 'default'] as const) {
      if (name !== '' && value[field]?.startsWith(name)) {
        const message = `must not begin with ${name}, which is put in front of it`
        report(`${path}[${index}].${field}`, message, 'argument-value')
      }
    }
  }
}

function checkNames(list: readonly NamedInput[] | undefined, path: string, report: Report): void {
  for (const [index, { name }] of (list ?? []).entries()) {
    if (!/^[^\s=\0]+$/.test(name)) {
      report(`${path}[${index}].name`, 'must be a name without spaces and =', 'variable-name')
    }
  }
}
