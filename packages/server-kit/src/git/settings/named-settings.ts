import { nullDevice, type Setting } from './environment.ts'
import { runsNothing } from './safe-settings.ts'
import { parseSettingKey } from './setting-key.ts'

/** What makes the settings of one section harmless that have a name in the middle, such as `filter.<name>.clean`. */
interface Rule {
  /** Settings that say nothing about programs. */
  readonly kept?: readonly string[]
  readonly values?: ReadonlyMap<string, string>
  /** For all others, also those that do not exist yet. @defaultValue they are kept */
  readonly others?: string
}

const driverSettings = [
  'algorithm',
  'binary',
  'cachetextconv',
  'funcname',
  'trustexitcode',
  'wordregex',
  'xfuncname',
]

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['filter', { values: new Map([['required', 'false']]), others: '' }],
  // Not empty: that would be a merge that always goes well. This one is always a conflict.
  ['merge', { kept: ['name', 'recursive'], others: runsNothing }],
  ['diff', { kept: driverSettings, others: '' }],
  ['credential', { kept: ['username', 'usehttppath'], others: '' }],
  ['gpg', { kept: ['allowedsignersfile', 'revocationfile'], others: runsNothing }],
  // Belongs to no event and is off; if it ran all the same, it would do nothing.
  [
    'hook',
    {
      kept: ['jobs'],
      values: new Map([
        ['command', 'true'],
        ['enabled', 'false'],
      ]),
      others: '',
    },
  ],
  ['trailer', { kept: ['key', 'where', 'ifexists', 'ifmissing'], others: '' }],
  ['tar', { kept: ['remote'], others: runsNothing }],
  ['mergetool', { others: '' }],
  ['difftool', { others: '' }],
  ['guitool', { others: '' }],
  ['browser', { others: '' }],
  ['man', { others: '' }],
  ['branch', { values: new Map([['mergeoptions', '']]) }],
  ['submodule', { values: new Map([['update', 'none']]) }],
  ['http', { values: new Map([['followredirects', 'false']]) }],
  ['protocol', { values: new Map([['allow', 'never']]) }],
])

/** Settings of a repository that name a file to read, or decide what is passed on to other processes. */
const withoutMiddle: ReadonlyMap<string, string> = new Map([
  ['core.attributesfile', nullDevice],
  ['core.excludesfile', nullDevice],
  ['core.unsetenvvars', ''],
  ['diff.orderfile', nullDevice],
  ['format.outputdirectory', ''],
  ['format.signaturefile', ''],
  ['mailmap.file', nullDevice],
  // Strategies that git does not know are programs of that name.
  ['pull.octopus', 'octopus'],
  ['pull.twohead', 'recursive'],
  ['ssh.variant', 'ssh'],
])

/** What makes the settings of a repository harmless, by the names it uses. */
export function neutralised(keys: Iterable<string>): readonly Setting[] {
  const settings: Setting[] = []
  for (const key of new Set(keys)) {
    const value = harmlessValue(key)
    if (value !== undefined) settings.push([key, value])
  }
  return settings
}

/** Whether a repository has no say in a setting. */
export function isOverridden(key: string): boolean {
  return harmlessValue(key) !== undefined
}

/** Undefined for what may stay as it is. */
function harmlessValue(key: string): string | undefined {
  const { section, middle, name } = parseSettingKey(key)
  if (section === 'pager') return 'false'
  if (middle === undefined) return withoutMiddle.get(`${section}.${name}`)
  const rule = rules.get(section)
  if (!rule || rule.kept?.includes(name)) return undefined
  return rule.values?.get(name) ?? rule.others
}
