/** Headers of every reply of the console: nothing but its own files is loaded, and no page frames it. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ONE_YEAR } from '../http/connection-limits.ts';

/** The content policy; `page`: whose own style elements are allowed by their hashes. */
export function policyOf(page: Buffer | undefined): string {
  const styles = [...(page?.toString() ?? '').matchAll(/<style>([^<]*)<\/style>/g)].map(
    ([, style]) => ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles.join('')}`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export function secured(response: ServerResponse, isTls: boolean, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  response.setHeader('Cache-Control', 'no-store');
  if (isTls) response.setHeader('Strict-Transport-Security', ONE_YEAR);
}
