export {
  amount,
  choice,
  count,
  faultText,
  fitting,
  flag,
  list,
  number,
  oneOf,
  port,
  readAs,
  required,
  section,
  setting,
  table,
  text,
  textOrNumber,
  texts,
  textTable,
} from './fields.ts'
export type { Mistake, SettingNotes } from './fields.ts'
export { nodeAt, locationProblem, readSettings } from './read-settings.ts'
export type { SettingsFault, SettingsPath } from './read-settings.ts'
