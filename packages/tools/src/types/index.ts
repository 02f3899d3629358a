export {
  createNamedTypes,
  type NamedTypes,
  type NamedType,
  type TypeDeclaration,
} from './named-types.ts'
export { typeOfSchema, type TypeOfSchemaOptions } from './type-of-schema.ts'
export {
  indented,
  unknownType,
  whole,
  type TypeStyle,
  type TypeText,
  type TypeWriter,
} from './type-text.ts'
