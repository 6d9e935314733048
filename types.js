/**
 * Writes `dist/types/index.d.ts`: the types of the embedding API in one file, those of the packages that they use inside, from the declarations that
 * `tsc` wrote. It takes half a minute, so only packing does it (`prepack`), and the test of the package.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { generateDtsBundle } = createRequire(import.meta.url)('dts-bundle-generator');

const [text] = generateDtsBundle(
  [
    {
      filePath: 'dist/src/database.d.ts',
      libraries: { inlinedLibraries: ['typebox', 'prom-client'] },
      output: { exportReferencedTypes: false, noBanner: true },
    },
  ],
  { preferredConfigPath: 'tsconfig.types.json' },
);
mkdirSync('dist/types', { recursive: true });
// `Buffer`, `AbortSignal` and `Symbol.asyncDispose` of the declarations.
writeFileSync('dist/types/index.d.ts', `/// <reference types="node" />\n/// <reference lib="esnext.disposable" />\n${text}`);
