/** What a package says about where it comes from: everything follows from `repository` of the root's `package.json`. */

/** @typedef {import('./published.mjs').Manifest} Manifest */

/** On npm every package has these, and more of its own. */
export const commonKeywords = ['mcp', 'model-context-protocol']

/** What is published: what was built, without the notes of the compiler and the bundler in it. */
const publishedFiles = ['dist', '!dist/.*']

/** What a package has besides: JSON Schemas of settings files, for editors. */
const furtherFiles = new Map([['packages/cli', ['schemas']]])

/** Publishing goes through `npm run release`, which leaves out what only the repository understands. */
const rejection = 'node ../../scripts/packages/refuse-publish.mjs'

/**
 * The address of the repository as people open it.
 *
 * @param {Manifest} rootManifest
 * @returns {string}
 */
export function repositoryAddress({ repository }) {
  return String(repository.url)
    .replace(/^git\+/, '')
    .replace(/\.git$/, '')
}

/**
 * A file of the repository as people open it, for links from a README, which npm shows elsewhere.
 *
 * @param {Manifest} rootManifest
 * @param {string} [path] relative to the root
 */
export function fileAddress(rootManifest, path = '') {
  return `${repositoryAddress(rootManifest)}/blob/main/${path}`
}

/**
 * The fields of a package's manifest that follow from where it is.
 *
 * @param {Manifest} rootManifest
 * @param {string} folder
 * @returns {Manifest}
 */
export function derivedFields(rootManifest, folder) {
  const address = repositoryAddress(rootManifest)
  return {
    license: rootManifest['license'],
    homepage: `${address}/tree/main/${folder}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: rootManifest['repository'].url, directory: folder },
    files: [...publishedFiles, ...(furtherFiles.get(folder) ?? [])],
    engines: rootManifest['engines'],
    publishConfig: { access: 'public' },
    scripts: { prepublishOnly: rejection },
  }
}
