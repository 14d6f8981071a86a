export function ensurePnpm(packageManager: string, cache: string, locked?: string): Promise<string[]>
