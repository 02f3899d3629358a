import type { Setting } from './environment.ts'

/** Runs nothing, and says so by its status. */
const runsNothing = 'false'

/** What no repository may decide: each of these runs a program, writes behind our back, or looks elsewhere. */
export const fixedSettings: readonly Setting[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['sequence.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'ssh -oBatchMode=yes'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', runsNothing],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['interactive.diffFilter', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['transfer.bundleURI', 'false'],
  ['fetch.writeCommitGraph', 'false'],
  ['http.followRedirects', 'false'],
  ['protocol.allow', 'never'],
  ['protocol.ext.allow', 'never'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gpg.program', runsNothing],
  ['gpg.openpgp.program', runsNothing],
  ['gpg.x509.program', runsNothing],
  ['gpg.ssh.program', runsNothing],
  ['gpg.ssh.defaultKeyCommand', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['blame.ignoreRevsFile', ''],
  ['commit.template', ''],
  ['init.templateDir', ''],
  ['rerere.enabled', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['advice.detachedHead', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
]

/** Settings with a name in the middle that run a program, and what makes them harmless. */
const namedSettings: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/^filter\..+\.(clean|smudge|process)$/, ''],
  [/^filter\..+\.required$/, 'false'],
  // Not empty: that would be a merge that always goes well. This one is always a conflict.
  [/^merge\..+\.driver$/, runsNothing],
  [/^diff\..+\.(command|textconv)$/, ''],
  [/^credential\..+\.helper$/, ''],
  [/^http\..+\.followredirects$/, 'false'],
  [/^protocol\..+\.allow$/, 'never'],
  [/^branch\..+\.mergeoptions$/, ''],
  [/^gpg\..+\.(program|defaultkeycommand)$/, runsNothing],
  [/^trailer\..+\.(command|cmd)$/, ''],
  [/^pager\..+$/, 'false'],
  [/^tar\..+\.command$/, runsNothing],
  [/^(mergetool|difftool|browser|man)\..+\.(cmd|path)$/, ''],
  [/^guitool\..+\.cmd$/, ''],
  [/^hook\..+\.command$/, ''],
]

/** What makes the settings of a repository harmless, by the names it uses. */
export function neutralised(keys: Iterable<string>): readonly Setting[] {
  const settings: Setting[] = []
  for (const key of new Set(keys)) {
    const rule = namedSettings.find(([pattern]) => pattern.test(withLowerCaseEnds(key)))
    if (rule) settings.push([key, rule[1]])
  }
  return settings
}

/** Settings that change where a transfer goes or what it runs; with one of these none is made. */
const transferSettings =
  /^(remote\..+\.(uploadpack|receivepack|vcs|proxy|proxyauthmethod|mirror|promisor|partialclonefilter)|http\.(.+\.)?(proxy\w*|ssl\w*|cookiefile|savecookies|curloptresolve|delegation|pinnedpubkey)|extensions\.partialclone|fetch\.bundleuri)$/

/** The first setting that makes a transfer unsafe. */
export function unsafeForTransfer(keys: Iterable<string>): string | undefined {
  for (const key of keys) if (transferSettings.test(withLowerCaseEnds(key))) return key
  return undefined
}

/** The first and last part of a key have no case; what is between them has. */
function withLowerCaseEnds(key: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase()
}
