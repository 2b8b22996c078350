/** A screen as one line, so that a test can look for a sentence wherever the lines end. */
export function unwrapped(screen: string): string {
  return screen.replace(/\s+/g, ' ');
}
