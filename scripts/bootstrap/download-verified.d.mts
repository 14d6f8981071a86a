export function downloadVerified(url: string, sha256: string): Promise<Buffer>
