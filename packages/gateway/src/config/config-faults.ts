import type { ConfigNode, ConfigProblem } from '@parley/foundation/config'
import {
  locationProblem,
  readSettings,
  type SettingsFault,
  type SettingsPath,
} from '@parley/foundation/settings'
import type * as v from 'valibot'

/** Notes what is wrong with a file, with the line and column of a path in it. */
export interface ConfigFaults {
  fault(path: SettingsPath, message: string, fix: string): void
  warn(path: SettingsPath, message: string, fix: string): void
  /** Reads a value by its declaration. Undefined if anything is wrong with it, which is noted. */
  read<const Schema extends v.GenericSchema>(
    schema: Schema,
    value: unknown,
    path: SettingsPath,
  ): v.InferOutput<Schema> | undefined
}

export function createConfigFaults(
  file: string,
  root: ConfigNode | undefined,
  problems: ConfigProblem[],
): ConfigFaults {
  const note = (fault: SettingsFault): void => {
    problems.push(locationProblem(fault, file, root))
  }
  return {
    fault: (path, message, fix) => note({ path, message, fix }),
    warn: (path, message, fix) => note({ path, message, fix, level: 'warning' }),
    read(schema, value, path) {
      const found: SettingsFault[] = []
      const read = readSettings(schema, value, path, found)
      for (const fault of found) note(fault)
      return read
    },
  }
}
