import type { FastifyInstance } from 'fastify'

/**
 * Watches the routes as they are registered, to tell a wrong method from a wrong address. Returns a function from a path to
 * its methods, as `Allow` lists them; none for an unknown path.
 */
export function watchPaths(app: FastifyInstance): (path: string) => string[] {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set()
    methodsByUrl.set(url, methods)
    for (const name of [method].flat()) methods.add(name)
  })
  let patterns: { form: RegExp; methods: string[] }[] | undefined

  return (path) => {
    patterns ??= [...methodsByUrl].map(([url, methods]) => ({ form: formOf(url), methods: [...methods].toSorted() }))
    const methods = patterns.flatMap(({ form, methods: names }) => (form.test(path) ? names : []))
    return [...new Set(methods)]
  }
}

function formOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
}
