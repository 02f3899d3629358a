import {
  encodeReserved,
  loneSurrogate,
  operatorRules,
  type OperatorRule,
  type TemplateExpression,
  type TemplatePart,
  type TemplateVariable,
} from './syntax.ts'

/** Values of variables; an absent one is left out together with its separator. */
export interface UriTemplateValues {
  readonly [name: string]: string | readonly string[] | undefined
}

/** Expands by RFC 6570. Total: a lone surrogate, which UTF-8 cannot carry, becomes U+FFFD. */
export function expandTemplateParts(
  parts: readonly TemplatePart[],
  values: UriTemplateValues,
): string {
  return parts
    .map((part) => (part.kind === 'literal' ? encodeReserved(part.text) : expand(part, values)))
    .join('')
}

function expand({ operator, variables }: TemplateExpression, values: UriTemplateValues): string {
  const rule: OperatorRule = operatorRules[operator]
  const pieces = variables.flatMap((variable) =>
    expandVariable(
      variable,
      Object.hasOwn(values, variable.name) ? values[variable.name] : undefined,
      rule,
    ),
  )
  return pieces.length === 0 ? '' : rule.first + pieces.join(rule.separator)
}

function expandVariable(
  { name, explode, maxLength }: TemplateVariable,
  value: string | readonly string[] | undefined,
  rule: OperatorRule,
): readonly string[] {
  if (value === undefined || (value.length === 0 && typeof value !== 'string')) return []
  const encode = rule.reserved ? encodeReserved : encodeValue
  const withName = (text: string) => {
    if (!rule.named) return text
    return text === '' ? name + rule.ifEmpty : `${name}=${text}`
  }
  if (typeof value === 'string') {
    const shortened =
      maxLength === undefined ? value : Array.from(value).slice(0, maxLength).join('')
    return [withName(encode(shortened))]
  }
  if (explode) return value.map((element) => withName(encode(element)))
  return [withName(value.map(encode).join(','))]
}

function encodeValue(text: string): string {
  return encodeURIComponent(text.replaceAll(loneSurrogate, '\uFFFD')).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
