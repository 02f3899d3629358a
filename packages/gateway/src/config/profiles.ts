import type { StatusShown } from '../gateway/status.ts'
import { profileName } from '../naming/names.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { ConfigFaults } from './config-faults.ts'
import type { SectionValue } from './gateway-file.ts'
import { statusShown } from './status-settings.ts'

/** A part of what a gateway has, for one use of it. */
export interface Profile {
  /** @defaultValue all */
  readonly servers?: readonly string[] | undefined
  /** How clients call what the servers offer. @defaultValue as for the whole file */
  readonly naming?: NamingStrategy | undefined
  /** @defaultValue as for the whole file */
  readonly search?: SearchSettings | undefined
  /** Which tools there are, by the names that clients use; `*` stands for anything. @defaultValue all */
  readonly tools?: ToolFilter | undefined
  /** The content of `gateway://status`. @defaultValue that of the file */
  readonly status?: StatusShown | undefined
}

/** Tools by name. What is denied is not allowed again. */
export interface ToolFilter {
  /** Only these. @defaultValue all */
  readonly allow?: readonly string[] | undefined
  /** Not these. @defaultValue none */
  readonly deny?: readonly string[] | undefined
}

/** Profiles by name. `known` are the servers of the file. */
export async function profilesOf(
  section: SectionValue<'profiles'> | undefined,
  known: readonly string[],
  faults: ConfigFaults,
): Promise<{ readonly [name: string]: Profile }> {
  const profiles: [string, Profile][] = []
  for (const [name, { naming, search, status, tools, servers }] of Object.entries(section ?? {})) {
    const path = ['profiles', name]
    if (!profileName.test(name)) {
      const fix = 'Use letters, digits, - and _, at most 64, and not sse or message.'
      faults.fault(path, 'cannot be part of a path', fix)
    }
    for (const server of servers ?? []) {
      if (known.includes(server)) continue
      const what = `names a server that does not exist: ${server}`
      faults.fault([...path, 'servers'], what, `Use ${known.join(', ')}.`)
    }
    const shown = await statusShown(status, [...path, 'status'], faults)
    profiles.push([name, { servers, naming, search, status: shown, ...(tools && { tools }) }])
  }
  return Object.fromEntries(profiles)
}
