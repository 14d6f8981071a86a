/** Returns an operation's path in Fastify's form: `{SiteSlug}` becomes `:SiteSlug`. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Returns an operation's path with its parameters filled in and encoded. Throws if a parameter is missing. */
export function operationUrl(path: string, params: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`parameter ${name} is missing`)
    return encodeURIComponent(value)
  })
}
