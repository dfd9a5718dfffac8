;; Opens the file that $FILE names with editors/emacs and prints what a person would see. It
;; waits as long as the server lives.
(package-initialize)
(add-to-list 'load-path (expand-file-name "emacs" (getenv "EDITORS")))
(require 'toscac)
(require 'flymake)
(require 'imenu)
(require 'xref)

(setq eglot-sync-connect t
      eglot-connect-timeout 1000000
      jrpc-default-request-timeout 1000000)

;; Edits of several files are asked about.
(fset 'y-or-n-p (lambda (&rest _) t))

(defun out (text &rest arguments)
  (princ (concat (apply #'format text arguments) "\n")))

(defun wait (what condition)
  (while (not (funcall condition))
    (unless (jsonrpc-running-p (eglot-current-server))
      (error "The server has ended: no %s" what))
    (accept-process-output nil 0.02)))

(defun ask (method &optional more)
  (jsonrpc-request (eglot--current-server-or-lose) method
                   (append (eglot--TextDocumentPositionParams) more)))

;; Nobody is idle in batch mode: what was edited is sent at once.
(defun send ()
  (eglot--signal-textDocument/didChange))

(defun line-here ()
  (buffer-substring (line-beginning-position) (line-end-position)))

(find-file (getenv "FILE"))
(unless (eglot-current-server)
  (apply #'eglot (eglot--guess-contact)))
(out "mode: %s" major-mode)
(flymake-mode 1)
(flymake-start)
(wait "diagnostics" #'flymake-diagnostics)
(dolist (found (flymake-diagnostics))
  (out "%d: %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))
  (goto-char (flymake-diagnostic-beg found)))

(let ((fix (seq-find (lambda (action) (equal (plist-get action :kind) "quickfix"))
                     (ask :textDocument/codeAction
                          (list :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                                :context '(:diagnostics []))))))
  (out "fix: %s" (plist-get fix :title))
  (eglot--apply-workspace-edit (plist-get fix :edit)))
(send)
(wait "end of diagnostics" (lambda () (null (flymake-diagnostics))))
(out "fixed: %s" (line-here))
(out "hover: %s" (car (split-string (plist-get (plist-get (ask :textDocument/hover) :contents) :value) "\n")))
(let ((found (car (xref-backend-definitions 'eglot "LSP identifier at point."))))
  (out "definition: %s" (file-name-nondirectory (xref-location-group (xref-item-location found)))))
(out "references: %d" (length (xref-backend-references 'eglot "LSP identifier at point.")))
(out "symbols: %s" (> (length (eglot-imenu)) 0))
(eglot-rename "Branch")
(send)
(out "renamed: %s" (line-here))
(with-current-buffer "types.yaml"
  (goto-char (point-min))
  (re-search-forward "^  Branch:")
  (out "there: %s" (line-here))
  (unless (eglot-managed-p)
    (eglot--maybe-activate-editing-mode))
  (send))
(goto-char (line-end-position))
(insert "\n      co")
(send)
(let* ((answer (eglot-completion-at-point))
       (items (all-completions (buffer-substring (nth 0 answer) (nth 1 answer)) (nth 2 answer))))
  (out "completion: %s" (mapconcat #'substring-no-properties items " ")))
(delete-region (line-beginning-position) (point))
(insert "      # said  \n\n\n")
(send)
(eglot-format)
(re-search-backward "# said")
(out "formatted: '%s'" (line-here))
(let ((page (toscac-page "toscac.showTopology")))
  (with-temp-buffer
    (insert-file-contents page)
    (out "page: %s" (line-here))))
;; Nobody says goodbye to the server, who may be slow.
(setq kill-emacs-hook nil)
(kill-emacs 0)
