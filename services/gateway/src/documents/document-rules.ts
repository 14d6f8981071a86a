type Node = Record<string, unknown>

/**
 * Returns what a document of ours lacks, by place: descriptions of operations, parameters and members, and the forms that client
 * generators need. A linter demands only some of them.
 */
export function faultsOf(document: object): string[] {
  return walk(document as Node, '#', document)
}

function walk(node: Node, place: string, document: object): string[] {
  const own = faultsOfNode(node, document).map((fault) => `${place} ${fault}`)
  const inner = Object.entries(node).flatMap(([name, value]) =>
    // An example is data, and may have any member.
    name === 'example' || typeof value !== 'object' || value === null
      ? []
      : walk(value as Node, `${place}/${name}`, document),
  )
  return [...own, ...inner]
}

function faultsOfNode(node: Node, document: object): string[] {
  const faults: string[] = []
  if ('operationId' in node && !isDescribed(node)) faults.push('is an operation without a description')
  if ('in' in node && 'schema' in node && !isDescribed(node)) faults.push('is a parameter without a description')
  if (Array.isArray(node['enum']) && !('type' in node)) faults.push('has values without a type')
  if (node['type'] === 'integer' && !('format' in node)) faults.push('is an integer without a format')
  if (Math.abs(Number(node['maximum'] ?? 0)) > Number.MAX_SAFE_INTEGER) faults.push('has a bound that is not exact')
  if (node['type'] === 'object' && typeof node['properties'] === 'object') {
    for (const [name, member] of Object.entries(node['properties'] as Record<string, Node>))
      if (!isDescribed(resolved(member, document))) faults.push(`properties/${name} has no description`)
  }
  return faults
}

const isDescribed = ({ description }: Node): boolean => typeof description === 'string' && description !== ''

/** Returns the component that a member refers to, unless it has a description of its own. */
function resolved(member: Node, document: object): Node {
  if (isDescribed(member) || typeof member['$ref'] !== 'string') return member
  return member['$ref']
    .split('/')
    .slice(1)
    .reduce((value, step) => value[step] as Node, document as Node)
}
