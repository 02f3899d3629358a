import { compileTemplate } from './compile.ts'
import { expandTemplateParts, type UriTemplateValues } from './expand.ts'
import { createUriMatcher, type UriMatch } from './match.ts'
import { parseTemplateParts, variablesOf } from './syntax.ts'

/** A family of URIs (RFC 6570): makes its members and takes them apart again. */
export interface UriTemplate {
  readonly template: string
  /** The names of the variables, in order. */
  readonly variables: readonly string[]
  /**
   * Decoded values, or undefined when the URI is not of this template. Linear in the length of the URI.
   *
   * - `{id}` ends at `/`, `?` and `#`; `{+path}` and `{#part}` end nowhere, or at the query or fragment the template has.
   * - A value has at least one character, except where its name stands in the URI: `?page=` and `;page` are empty.
   * - `{?a,b}` and `{&c}`: in any order, each optional and left out of the result when absent; other parameters are
   *   ignored. In a template without them a `?` is a character like any other.
   * - `{path*}` is a list even with one element.
   * - Where several readings fit, `{id}` takes as little, `{+path}` and `{path*}` as much as the rest allows.
   * - Values are decoded once: `%2F` in `{id}` is a slash. Malformed percent-encoding matches nothing.
   */
  match(uri: string): UriMatch | undefined
  /** By RFC 6570; variables without a value are left out. */
  expand(values: UriTemplateValues): string
}

/**
 * Reads a template once, for matching and expanding. Throws `invalid_definition`, with the position and the cure, when it
 * is malformed, or when its variables could not be told apart in a URI.
 */
export function parseUriTemplate(template: string): UriTemplate {
  const parts = parseTemplateParts(template)
  const matcher = createUriMatcher(compileTemplate(template, parts))
  return {
    template,
    variables: variablesOf(parts),
    match: (uri) => matcher(uri),
    expand: (values) => expandTemplateParts(parts, values),
  }
}

/** Expands any well-formed template, also one that could not be matched, such as another server's `{a}{b}`. */
export function expandUriTemplate(template: string, values: UriTemplateValues): string {
  return expandTemplateParts(parseTemplateParts(template), values)
}

/** The variables of a URI template, decoded: `{id}` a string, `{?page}` maybe one, `{path*}` a list. */
export type UriVariables<Uri extends string> = string extends Uri
  ? { readonly [name: string]: string | readonly string[] | undefined }
  : Simplify<Variables<Uri>>

type Simplify<T> = { [K in keyof T]: T[K] }

type Variables<Uri extends string> = Uri extends `${string}{${infer Expression}}${infer Rest}`
  ? Expand<Expression> & Variables<Rest>
  : unknown

type Expand<Expression extends string> = Expression extends `${'?' | '&'}${infer Names}`
  ? { readonly [N in Split<Names> as Bare<N>]?: Value<N> }
  : Expression extends `${'+' | '#' | '.' | '/' | ';'}${infer Names}`
    ? { readonly [N in Split<Names> as Bare<N>]: Value<N> }
    : { readonly [N in Split<Expression> as Bare<N>]: Value<N> }

type Split<Names extends string> = Names extends `${infer Head},${infer Tail}`
  ? Head | Split<Tail>
  : Names

type Bare<Name extends string> = Name extends `${infer N}*`
  ? N
  : Name extends `${infer N}:${string}`
    ? N
    : Name

type Value<Name extends string> = Name extends `${string}*` ? readonly string[] : string
