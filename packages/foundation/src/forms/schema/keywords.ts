/** Keywords that fields show, that the check alone has to know, or that only tell. Anything else is unknown. */
const keywordNames = new Set(
  `$schema $id id $anchor $dynamicAnchor $recursiveAnchor $ref $dynamicRef $recursiveRef $defs definitions
  $comment $vocabulary title description default examples example deprecated readOnly writeOnly
  type enum const format nullable discriminator contentEncoding contentMediaType contentSchema
  minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  properties required additionalProperties patternProperties propertyNames minProperties maxProperties
  unevaluatedProperties dependentRequired dependentSchemas dependencies
  items prefixItems additionalItems unevaluatedItems contains minItems maxItems uniqueItems minContains maxContains
  allOf anyOf oneOf not if then else`.split(/\s+/),
)

/** Words of editors and form makers; none of them changes which values fit. */
const notes = new Set(
  `enumNames enumDescriptions markdownDescription markdownEnumDescriptions errorMessage defaultSnippets
  doNotSuggest deprecationMessage patternErrorMessage placeholder order propertyOrder externalDocs xml tsType`.split(
    /\s+/,
  ),
)

/** Whether a keyword is none of ours: its meaning for the value cannot be told. `x-` names are notes by custom. */
export function isUnknownKeyword(name: string): boolean {
  return !keywordNames.has(name) && !notes.has(name) && !name.startsWith('x-')
}
