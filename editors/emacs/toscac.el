;;; toscac.el --- TOSCA while you type, by tosca-lsp  -*- lexical-binding: t -*-

;; Emacs 28 with eglot 1.9, or Emacs 29 and later:
;;
;;     (add-to-list 'load-path "…/editors/emacs")
;;     (require 'toscac)
;;
;; Files are recognized by their keys, whatever their names are.

;;; Code:

(require 'eglot)

(define-derived-mode toscac-mode text-mode "TOSCA"
  "Service templates, manifests, stacks and blueprints."
  (setq-local comment-start "# ")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 2))

(defconst toscac-marks
  "^[\"']?\\(tosca_definitions_version\\|heat_template_version\\|instance_groups\\)[\"']?[ \t]*:"
  "What a file of ours has among its keys.")

(defun toscac-is-ours ()
  "Whether the buffer holds a file of ours."
  (and buffer-file-name
       (string-match-p "\\.\\(ya?ml\\|tosca\\)\\'" buffer-file-name)
       (save-excursion
         (goto-char (point-min))
         (re-search-forward toscac-marks nil t))))

(add-to-list 'magic-mode-alist '(toscac-is-ours . toscac-mode))
(add-to-list 'eglot-server-programs '(toscac-mode . ("tosca-lsp")))
(add-hook 'toscac-mode-hook #'eglot-ensure)

(provide 'toscac)
;;; toscac.el ends here
