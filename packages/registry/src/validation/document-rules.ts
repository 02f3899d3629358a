import { publisherKey, type ServerDocument } from '../document/server-document.ts'
import type { Report } from './issue.ts'
import { checkPackage, type PackageBases } from './package-rules.ts'
import { countUnknownBytes, releaseOf, schemaDate, schemaUrl } from './server-schema.ts'
import { findLinkProblem, findRemoteProblem, variablesOf } from './url-rules.ts'
import { findVersionProblem } from './version-rules.ts'

/** Packages, and remotes, of one document. */
const maxTransports = 50
const maxPublisherBytes = 4_096
/** Bytes of all fields together that the format does not have. */
export const maxUnknownBytes = 4_096

/** What a schema cannot say, for a document of the right shape. */
export function checkDocument(document: ServerDocument, bases: PackageBases, report: Report): void {
  const { $schema, name, version, title, websiteUrl, packages = [], remotes = [] } = document
  if ($schema === undefined) {
    report('$schema', `must be given: use ${schemaUrl}`, 'schema-version')
  } else if ((releaseOf($schema) ?? '9999') > schemaDate) {
    report('$schema', `is not a release of the format: use ${schemaUrl}`, 'schema-version')
  }
  checkName(name, report)
  const problem = findVersionProblem(version)
  if (problem !== undefined) report('version', problem, 'version')
  if (title !== undefined && title.trim() === '') {
    report('title', 'must not be only white space', 'title')
  }
  const websiteProblem = websiteUrl === undefined ? undefined : findLinkProblem(websiteUrl)
  if (websiteProblem !== undefined) report('websiteUrl', websiteProblem, 'website-url')
  for (const [index, { src }] of (document.icons ?? []).entries()) {
    const iconProblem = findLinkProblem(src)
    if (iconProblem !== undefined) report(`icons[${index}].src`, iconProblem, 'icon-url')
  }
  checkRepository(document, report)
  if (packages.length > maxTransports || remotes.length > maxTransports) {
    const path = packages.length > maxTransports ? 'packages' : 'remotes'
    return report(path, `must not have more than ${maxTransports} members`, 'most-members')
  }
  for (const [index, entry] of packages.entries()) {
    checkPackage(entry, `packages[${index}]`, bases, report)
  }
  for (const [index, { url = '', variables = {} }] of remotes.entries()) {
    const path = `remotes[${index}].url`
    const remoteProblem = findRemoteProblem(url)
    if (remoteProblem !== undefined) report(path, remoteProblem, 'remote-url')
    for (const variable of variablesOf(url).filter(
      (candidate) => !Object.hasOwn(variables, candidate),
    )) {
      report(path, `{${variable}} is not defined in variables`, 'remote-variables')
    }
  }
  if (countUnknownBytes(document) > maxUnknownBytes) {
    const message = `has more than ${maxUnknownBytes} bytes in fields that the format does not have: leave them out`
    report('', message, 'unknown-fields')
  }
  const own = document._meta?.[publisherKey]
  if (own !== undefined && Buffer.byteLength(JSON.stringify(own)) > maxPublisherBytes) {
    const message = `must not be longer than ${maxPublisherBytes} bytes as JSON`
    report(`_meta.${publisherKey}`, message, 'publisher-metadata')
  }
}

function checkName(name: string, report: Report): void {
  for (const part of name.split('/')) {
    if (!/^[a-zA-Z0-9](?:.*[a-zA-Z0-9])$/s.test(part)) {
      const message =
        'each side of the slash needs at least two characters, and a letter or digit at both ends'
      return report('name', message, 'name')
    }
  }
  const namespace = name.slice(0, name.indexOf('/'))
  if (namespace.split('.').includes('')) report('name', 'has two dots in a row', 'name')
}

function checkRepository({ repository }: ServerDocument, report: Report): void {
  if (repository === undefined) return
  const { url, source, subfolder } = repository
  const host = new Map([
    ['github', 'github.com'],
    ['gitlab', 'gitlab.com'],
  ]).get(source)
  if (host === undefined) {
    report('repository.source', 'is unknown: use github or gitlab', 'repository-source')
  } else {
    const form = new RegExp(
      `^https://(?:www\\.)?${host.replace('.', '\\.')}/[\\w.-]+/[\\w.-]+${source === 'gitlab' ? '(?:/[\\w.-]+)*' : ''}/?$`,
    )
    if (!form.test(url)) {
      report('repository.url', `must be https://${host}/owner/repository`, 'repository-url')
    }
  }
  if (subfolder === undefined) return
  const isClean =
    /^[a-zA-Z0-9\-_./]+$/.test(subfolder) &&
    !subfolder.split('/').some((part) => part === '' || part === '.' || part === '..')
  if (!isClean) {
    const message = 'must be a relative path such as src/server, without . and ..'
    report('repository.subfolder', message, 'repository-subfolder')
  }
}
