/**
 * What becomes of a setting of a repository that names a path or a program:
 * - overridden: git is given another value, which no file can change
 * - argument: a list that no setting empties is emptied on the command line
 * - refused: the repository is not opened if the setting leads out of it
 * - transfers: no transfer is made
 * - harmless: git reads it from nowhere a repository can write, or in commands that are never run
 */
export interface SettingRow {
  readonly key: string
  readonly how: 'overridden' | 'argument' | 'refused' | 'transfers' | 'harmless'
  /** Why it is harmless, or what does it when it is not a value. */
  readonly why?: string
}

const overridden = (...keys: readonly string[]): readonly SettingRow[] =>
  keys.map((key) => ({ key, how: 'overridden' }))
const transfers = (...keys: readonly string[]): readonly SettingRow[] =>
  keys.map((key) => ({ key, how: 'transfers' }))
const harmless = (why: string, ...keys: readonly string[]): readonly SettingRow[] =>
  keys.map((key) => ({ key, how: 'harmless', why }))

/** Every setting of git that names a path, a program or an address. `*` stands for a name, or for any setting. */
export const pathsAndPrograms: readonly SettingRow[] = [
  { key: 'core.worktree', how: 'refused', why: 'the work tree is the folder of its .git' },
  { key: 'include.path', how: 'refused', why: 'only files of the repository are included' },
  { key: 'includeIf.*.path', how: 'refused', why: 'only files of the repository are included' },
  { key: 'extensions.refStorage', how: 'refused', why: 'references are kept in the repository' },
  { key: 'submodule.*.gitdir', how: 'refused', why: 'submodules are kept in the repository' },
  { key: 'blame.ignoreRevsFile', how: 'argument', why: '--no-ignore-revs-file' },
  ...overridden(
    'branch.*.mergeOptions',
    'browser.*.cmd',
    'browser.*.path',
    'commit.template',
    'core.alternateRefsCommand',
    'core.askPass',
    'core.attributesFile',
    'core.editor',
    'core.excludesFile',
    'core.fsmonitor',
    'core.gitProxy',
    'core.hooksPath',
    'core.pager',
    'core.sshCommand',
    'core.unsetenvvars',
    'credential.*.helper',
    'credential.helper',
    'diff.*.command',
    'diff.*.textconv',
    'diff.external',
    'diff.orderFile',
    'difftool.*.cmd',
    'difftool.*.path',
    'filter.*.clean',
    'filter.*.process',
    'filter.*.smudge',
    'format.outputDirectory',
    'format.signatureFile',
    'gpg.*.program',
    'gpg.program',
    'gpg.ssh.defaultKeyCommand',
    'guitool.*.cmd',
    'hook.*.command',
    'init.templateDir',
    'interactive.diffFilter',
    'mailmap.file',
    'man.*.cmd',
    'man.*.path',
    'merge.*.driver',
    'mergetool.*.cmd',
    'mergetool.*.path',
    'pager.*',
    'pull.octopus',
    'pull.twohead',
    'sequence.editor',
    'ssh.variant',
    'submodule.*.update',
    'tar.*.command',
    'trailer.*.cmd',
    'trailer.*.command',
  ),
  ...transfers(
    'extensions.partialClone',
    'fetch.bundleURI',
    'fetch.fsck.skipList',
    'fetch.uriProtocols',
    'http.*',
    'http.*.*',
    'promisor.*',
    'remote.*.mirror',
    'remote.*.partialclonefilter',
    'remote.*.promisor',
    'remote.*.proxy',
    'remote.*.proxyAuthMethod',
    'remote.*.receivepack',
    'remote.*.uploadpack',
    'remote.*.vcs',
  ),
  ...harmless(
    'addresses are compared with what may be reached after git has rewritten them',
    'remote.*.pushurl',
    'remote.*.url',
    'url.*.insteadOf',
    'url.*.pushInsteadOf',
  ),
  ...harmless('an alias never stands for a command of git itself', 'alias.*', 'alias.*.command'),
  ...harmless('bundles are neither fetched nor cloned from', 'bundle.*', 'bundle.*.*'),
  ...harmless('read from settings of the user and the machine alone', 'safe.directory', 'trace2.*'),
  ...harmless(
    'read from settings of the user and the machine alone',
    'uploadpack.packObjectsHook',
    'maintenance.repo',
    'scalar.repo',
  ),
  ...harmless('there is no such daemon: core.fsmonitor is off', 'fsmonitor.*'),
  ...harmless('nothing is signed and no signature is verified', 'user.signingKey'),
  ...harmless(
    'the programs that would read them are overridden',
    'gpg.ssh.allowedSignersFile',
    'gpg.ssh.revocationFile',
  ),
  ...harmless('only git fsck reads it', 'fsck.skipList'),
  ...harmless('only git receive-pack reads it', 'receive.*'),
  ...harmless('only git gc and git repack read it', 'gc.recentObjectsHook', 'gc.repackFilterTo'),
  ...harmless('submodules are neither cloned nor fetched', 'submodule.*.url'),
  ...harmless(
    'only programs read it that are never run',
    'credentialCache.*',
    'credentialStore.*',
    'diff.guitool',
    'diff.tool',
    'difftool.*',
    'gitcvs.*',
    'gitweb.*',
    'gui.*',
    'guitool.*',
    'help.*',
    'imap.*',
    'instaweb.*',
    'man.viewer',
    'merge.guitool',
    'merge.tool',
    'mergetool.*',
    'sendemail.*',
    'uploadarchive.*',
    'web.browser',
  ),
]

/** Settings that name neither a path nor a program, by section: numbers, words, switches, names of references. */
export const neither: { readonly [section: string]: string } = {
  add: 'ignoreErrors interactive.useBuiltin',
  advice: '*',
  am: 'keepcr messageId threeWay',
  apply: 'ignoreWhitespace whitespace',
  attr: 'tree',
  author: 'email name',
  bitmapPseudoMerge:
    '*.decay *.maxMerges *.pattern *.sampleRate *.stableSize *.stableThreshold *.threshold',
  blame: 'blankBoundary coloring date markIgnoredLines markUnblamableLines showEmail showRoot',
  branch:
    '*.deleteMerged *.description *.merge *.pushRemote *.rebase *.remote autoSetupMerge ' +
    'autoSetupRebase sort',
  checkout: 'defaultRemote guess thresholdForParallelism workers',
  clean: 'requireForce',
  clone: 'defaultRemoteName filterSubmodules rejectShallow',
  color: '*',
  column: '*',
  commit: 'cleanup gpgSign status verbose',
  commitGraph: 'changedPaths changedPathsVersion generationVersion maxNewFilters readChangedPaths',
  committer: 'email name',
  completion: '*',
  core:
    'abbrev alternateRefsPrefixes autocrlf bare bigFileThreshold checkRoundtripEncoding ' +
    'checkStat commentChar commentString commitGraph compression configLockTimeout ' +
    'createObject deltaBaseCacheLimit eol fileMode filesRefLockTimeout ' +
    'fsmonitorHookVersion fsync fsyncMethod fsyncObjectFiles hideDotFiles ignoreCase ' +
    'ignoreStat lockfilePid logAllRefUpdates looseCompression maxTreeDepth multiPackIndex ' +
    'notesRef packedGitLimit packedGitWindowSize packedRefsTimeout precomposeUnicode ' +
    'preferSymlinkRefs preloadIndex protectHFS protectNTFS quotePath ' +
    'repositoryFormatVersion restrictinheritedhandles safecrlf sharedRepository ' +
    'sparseCheckout sparseCheckoutCone splitIndex symlinks trustctime untrackedCache ' +
    'useReplaceRefs warnAmbiguousRefs whitespace',
  credential: '*.* interactive protectProtocol sanitizePrompt useHttpPath username',
  diff:
    '*.binary *.cachetextconv *.trustExitCode *.wordRegex *.xfuncname algorithm ' +
    'autoRefreshIndex colorMoved colorMovedWS context dirstat dstPrefix ignoreSubmodules ' +
    'indentHeuristic interHunkContext mnemonicPrefix noPrefix relative renameLimit ' +
    'renames srcPrefix statGraphWidth statNameWidth submodule suppressBlankEmpty ' +
    'trustExitCode wordRegex wsErrorHighlight',
  extensions: '* objectFormat worktreeConfig',
  fastimport: 'unpackLimit',
  feature: '*',
  fetch:
    'all bundleCreationToken followRemoteHEAD fsck.* fsckObjects negotiationAlgorithm ' +
    'output parallel prune pruneTags recurseSubmodules showForcedUpdates unpackLimit ' +
    'writeCommitGraph',
  format:
    'attach cc commitListFormat coverFromDescription coverLetter encodeEmailHeaders ' +
    'filenameMaxLength forceInBodyFrom from headers mboxrd noprefix notes numbered pretty ' +
    'signature signOff subjectPrefix suffix thread to useAutoBase',
  fsck: '*',
  gc:
    '*.reflogExpire *.reflogExpireUnreachable aggressiveDepth aggressiveWindow auto ' +
    'autoDetach autoPackLimit bigPackThreshold cruftPacks logExpiry maxCruftSize packRefs ' +
    'pruneExpire reflogExpire reflogExpireUnreachable repackFilter rerereResolved ' +
    'rerereUnresolved worktreePruneExpire writeCommitGraph',
  gpg: 'format minTrustLevel',
  grep: 'column extendedRegexp fallbackToNoIndex fullName lineNumber patternType threads',
  hook: '*.enabled *.event *.jobs *.parallel jobs',
  http:
    'emptyAuth extraHeader followRedirects lowSpeedLimit lowSpeedTime maxRequests ' +
    'minSessions noEPSV postBuffer userAgent version',
  i18n: 'commitEncoding logOutputEncoding',
  index: 'recordEndOfIndexEntries recordOffsetTable skipHash sparse threads version',
  init: 'defaultBranch defaultObjectFormat defaultRefFormat defaultSubmodulePathConfig',
  interactive: 'singleKey',
  log:
    'abbrevCommit date decorate diffMerges excludeDecoration follow graphColors ' +
    'graphIndent initialDecorationSet mailmap showRoot showSignature',
  lsrefs: 'unborn',
  mailinfo: 'scissors',
  mailmap: 'blob',
  maintenance:
    '*.enabled *.schedule auto autoDetach commit-graph.auto geometric-repack.auto ' +
    'geometric-repack.splitFactor incremental-repack.auto loose-objects.auto ' +
    'loose-objects.batchSize reflog-expire.auto rerere-gc.auto strategy ' +
    'worktree-prune.auto',
  merge:
    '*.name *.recursive autoStash branchdesc conflictStyle defaultToUpstream ' +
    'directoryRenames ff log renameLimit renames renormalize stat suppressDest verbosity ' +
    'verifySignatures',
  notes: '*.mergeStrategy displayRef mergeStrategy rewrite.* rewriteMode rewriteRef',
  pack:
    'allowPackReuse compression deltaCacheLimit deltaCacheSize depth indexVersion island ' +
    'islandCore packSizeLimit preferBitmapTips readReverseIndex threads ' +
    'useBitmapBoundaryTraversal useBitmaps usePathWalk useSparse window windowMemory ' +
    'writeBitmapHashCache writeBitmapLookupTable writeReverseIndex',
  pretty: '*',
  protocol: '*.allow allow version',
  pull: 'autoStash ff rebase',
  push:
    'autoSetupRemote default followTags gpgSign negotiate pushOption recurseSubmodules ' +
    'useBitmaps useForceIfIncludes',
  rebase:
    'abbreviateCommands autoSquash autoStash backend forkPoint instructionFormat ' +
    'maxLabelLength missingCommitsCheck rebaseMerges rescheduleFailedExec stat updateRefs',
  reftable: 'blockSize geometricFactor indexObjects lockTimeout restartInterval',
  remote:
    '*.advertisedAs *.fetch *.followRemoteHEAD *.negotiationInclude *.negotiationRestrict ' +
    '*.prune *.pruneTags *.push *.serverOption *.skipDefaultUpdate *.skipFetchAll ' +
    '*.tagOpt pushDefault',
  remotes: '*',
  repack:
    'cruftDepth cruftThreads cruftWindow cruftWindowMemory midxMustContainCruft ' +
    'midxNewLayerThreshold midxSplitFactor packKeptObjects updateServerInfo ' +
    'useDeltaBaseOffset useDeltaIslands writeBitmaps',
  replay: 'refAction',
  rerere: 'autoUpdate enabled',
  revert: 'reference',
  safe: 'bareRepository',
  showBranch: 'default',
  sideband: '*.* allowControlCharacters',
  sparse: 'expectFilesOutsideOfPatterns',
  splitIndex: 'maxPercentChange sharedIndexExpire',
  stash: 'index showIncludeUntracked showPatch showStat',
  status:
    'aheadBehind branch compareBranches displayCommentPrefix relativePaths renameLimit ' +
    'renames short showStash showUntrackedFiles submoduleSummary',
  submodule:
    '*.active *.branch *.fetchRecurseSubmodules *.ignore active alternateErrorStrategy ' +
    'alternateLocation fetchJobs propagateBranches recurse',
  tag: 'forceSignAnnotated gpgSign sort',
  tar: 'umask',
  trailer: '*.ifexists *.ifmissing *.key *.where ifexists ifmissing separators where',
  transfer:
    'advertiseObjectInfo advertiseSID bundleURI credentialsInUrl fsckObjects hideRefs ' +
    'unpackLimit',
  uploadpack:
    'allowAnySHA1InWant allowFilter allowReachableSHA1InWant allowRefInWant ' +
    'allowTipSHA1InWant hideRefs keepAlive',
  uploadpackfilter: '*.allow allow tree.maxDepth',
  user: 'email name useConfigOnly',
  versionsort: 'suffix',
  worktree: 'guessRemote useRelativePaths',
}

/** What becomes of a setting, by its name as `git help --config` writes it; undefined if nobody has decided. */
export function classify(key: string): SettingRow['how'] | 'neither' | undefined {
  const plain = key.replace(/<[^>]*>/g, '*').toLowerCase()
  const [section = '', rest = ''] = splitKey(plain)
  const named = words(section)
  if (rest !== '*' && named.includes(rest)) return 'neither'
  const row = pathsAndPrograms.find((one) => matches(plain, one.key.toLowerCase()))
  if (row) return row.how
  return named.includes('*') && (named.length === 1 || rest === '*') ? 'neither' : undefined
}

function words(section: string): readonly string[] {
  const [, list = ''] =
    Object.entries(neither).find(([name]) => name.toLowerCase() === section) ?? []
  return list.toLowerCase().split(' ')
}

function splitKey(key: string): readonly string[] {
  const dot = key.indexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

function matches(key: string, pattern: string): boolean {
  const source = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
  return new RegExp(`^${source.join('.*')}$`).test(key)
}
