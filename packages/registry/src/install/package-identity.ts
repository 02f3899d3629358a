/**
 * Whether a package is named as its own registry names packages, and by one exact version. A runner such as `npx` takes URLs, folders,
 * git addresses, aliases, ranges and tags in the same place; none of them passes here.
 */

import { classifyAddress } from '@parley/mcp/address'

import type { ServerPackage } from '../document/server-document.ts'

/** Something that keeps a package from being installed: a field, and why. */
export interface IdentityProblem {
  readonly field: 'identifier' | 'version' | 'registryType'
  readonly reason: string
}

interface NameRule {
  readonly name: RegExp
  readonly maxLength: number
  readonly example: string
  readonly version: RegExp
}

/** Numbers of at most 15 digits: to npm a version with a larger one is the name of a tag, which can move. */
const semver =
  /^(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/
/** PEP 440, without the leading `v` that only some tools take. */
const pythonVersion =
  /^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|pre|preview)[._-]?\d*)?(?:-\d+|[._-]?(?:post|rev|r)[._-]?\d*)?(?:[._-]?dev[._-]?\d*)?(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?$/i
const nugetVersion =
  /^\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?$/

const rules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  [
    'npm',
    {
      name: /^(?:@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/,
      maxLength: 214,
      example: '@scope/server',
      version: semver,
    },
  ],
  [
    'pypi',
    {
      name: /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i,
      maxLength: 100,
      example: 'mcp-server',
      version: pythonVersion,
    },
  ],
  [
    'nuget',
    {
      name: /^[a-z0-9_]+(?:[._-][a-z0-9_]+)*$/i,
      maxLength: 100,
      example: 'Contoso.Server',
      version: nugetVersion,
    },
  ],
  ['cargo', { name: /^[a-z][a-z0-9_-]*$/i, maxLength: 64, example: 'mcp-server', version: semver }],
])

/** `uvx python@3.12` starts the interpreter of this machine, whatever a package of that name holds. */
const interpreters = /^(?:c?python|pypy|graalpy|pyodide)w?[\d.]*$/i

/** Everything that is wrong with how a package is named. */
export function findIdentityProblems(serverPackage: ServerPackage): readonly IdentityProblem[] {
  const { registryType, identifier, version } = serverPackage
  if (registryType === 'oci') return findImageProblems(serverPackage)
  const rule = rules.get(registryType)
  if (rule === undefined) return [{ field: 'registryType', reason: unknownType(registryType) }]
  const problems: IdentityProblem[] = []
  if (!rule.name.test(identifier) || identifier.length > rule.maxLength) {
    const reason = `is not the name of a package of ${registryType}: write the name alone, such as ${rule.example}`
    problems.push({ field: 'identifier', reason })
  } else if (registryType === 'pypi' && interpreters.test(identifier)) {
    const reason = 'starts the Python of this machine: name the package of the server'
    problems.push({ field: 'identifier', reason })
  }
  if (version === undefined || version.length > 100 || !rule.version.test(version)) {
    const seen = version === undefined ? 'is missing' : 'is not one exact version'
    problems.push({ field: 'version', reason: `${seen}: write a whole version, such as 1.2.3` })
  }
  return problems
}

function unknownType(registryType: string): string {
  if (registryType === 'mcpb') {
    return 'mcpb bundles are not supported yet: download the bundle, check its SHA-256, and open it with a client that installs bundles'
  }
  return `is unknown: use ${[...rules.keys(), 'oci'].join(', ')}`
}

function findImageProblems(serverPackage: ServerPackage): readonly IdentityProblem[] {
  const image = readImage(serverPackage)
  if (image === undefined) {
    const reason = 'is not an image with a tag or digest: write registry/namespace/image:tag'
    return [{ field: 'identifier', reason }]
  }
  if (!/[a-z]\.?$/.test(image.host) || !image.host.includes('.') || isAddress(image.host)) {
    const reason = `is at ${image.host}, which is not an image registry on the internet: write its name, such as ghcr.io`
    return [{ field: 'identifier', reason }]
  }
  if (image.reference === 'latest') {
    const reason =
      'has the tag latest, which is another image tomorrow: write an exact tag, or @sha256:…'
    return [{ field: 'identifier', reason }]
  }
  return []
}

function isAddress(host: string): boolean {
  return classifyAddress(host) !== undefined
}

function readImage(serverPackage: ServerPackage): OciReference | undefined {
  const reference = imageOf(serverPackage)
  return reference.length > 512 ? undefined : readOciReference(reference)
}

/** The reference of an image; older documents have the tag or digest in `version`. */
export function imageOf({ identifier, version }: ServerPackage): string {
  if (version === undefined) return identifier
  return `${identifier}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}

/** Where an image is. */
export interface OciReference {
  readonly host: string
  readonly repository: string
  /** A tag, or `sha256:` with a digest. */
  readonly reference: string
}

/** `registry/namespace/image:tag` or `…@sha256:digest`; undefined for anything else. */
export function readOciReference(identifier: string): OciReference | undefined {
  const found =
    /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?)\/([a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[a-f0-9]{64}))?$/.exec(
      identifier,
    )
  const [, host, repository, tag, digest] = found ?? []
  const reference = digest ?? tag
  if (host === undefined || repository === undefined || reference === undefined) return undefined
  return { host, repository, reference }
}
