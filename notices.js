/**
 * The text of THIRD-PARTY-NOTICES: each package of which code went into the scripts of `dist/bin`, with its licence as the package has it. A licence
 * that does not allow that with a notice alone fails the build.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', '(MIT OR CC0-1.0)']);

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Files of licences that a package has elsewhere. */
const FURTHER = { '@nxtedition/rocksdb': ['deps/rocksdb/rocksdb/LICENSE.Apache', 'deps/rocksdb/rocksdb/LICENSE.leveldb'] };

/** Libraries that are linked into RocksDB's binding, which come without files of their own. Apache-2.0 is above, with RocksDB. */
const LINKED = `The binding of RocksDB (rocksdb/linux-x64.node) contains:

folly, Copyright (c) Meta Platforms, Inc. and affiliates. Licence: Apache-2.0.

liburing, Copyright 2020 Jens Axboe. Licence: MIT.

zstd, Copyright (c) Meta Platforms, Inc. and affiliates. Licence: BSD-3-Clause:

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following conditions are met:
 * Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
 * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.
 * Neither the name Facebook, nor Meta, nor the names of its contributors may be used to endorse or promote products derived from this software without
   specific prior written permission.
THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY
DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS
OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`;

/** `paths`: files of packages that were bundled, others are ignored. */
export function notices(paths) {
  const folders = new Set();
  for (const path of paths) {
    const found = PACKAGE.exec(path);
    if (found !== null) folders.add(found[0]);
  }
  const parts = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const kind = typeof license === 'string' ? license : license?.type;
    if (!ALLOWED.has(kind)) throw new Error(`${name} ${version} has the licence ${kind}: may it be part of a bundle? (notices.js)`);
    const files = [...readdirSync(folder).filter((file) => LICENCE_FILE.test(file)), ...(FURTHER[name] ?? [])].filter((file) => existsSync(join(folder, file)));
    const by = typeof author === 'string' ? author : author?.name;
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0) texts.push(by === undefined ? 'The package names no author.' : `Author: ${by}`);
    parts.set(`${name} ${version}`, `${name} ${version}\nLicence: ${kind}\n\n${texts.join('\n\n')}\n`);
  }
  const line = `${'-'.repeat(80)}\n\n`;
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `The scripts of this package contain code of ${sorted.length} packages, under these licences.\n\n${line}${sorted.join(`\n${line}`)}\n${line}${LINKED}`;
}
