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
