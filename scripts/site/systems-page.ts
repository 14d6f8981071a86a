import { practiceManagementSystems } from '@frontdesk/contracts'
import { code } from './markdown.ts'

/** Returns the page of practice management systems, from the shipped catalogue. */
export function systemsPage(): string {
  const sectors = [...new Set(practiceManagementSystems.map(({ sector }) => sector))]
  const lists = sectors.map((sector) => {
    const rows = practiceManagementSystems.filter((system) => system.sector === sector)
    return [
      `## ${sector === 'Any' ? 'Any sector' : sector}`,
      '| code | name |\n|---|---|',
      ...rows.map(({ code: name, displayName }) => `| ${code(name)} | ${displayName} |`),
    ]
      .join('\n\n')
      .replaceAll(' |\n\n|', ' |\n|')
      .replaceAll('|---|---|\n\n|', '|---|---|\n|')
  })
  return `# Practice management systems

${code('PracticeManagementSoftware')} of a site, ${code('product')} of an event, and the header ${code('X-Practice-Management-Software')} have one of these codes.
Your client is registered for one or more of them. If it has several, send the header when you create a site, and whenever you name a site by
the id that its practice management system gave it.

The operator of a deployment can add systems, so your code should accept others. Codes are never removed or changed. The names are trademarks of their
vendors.

${lists.join('\n\n')}
`
}
